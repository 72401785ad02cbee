import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const guides = join(import.meta.dirname, '../../../docs/guides');

/** Returns the code samples of a page in one language, in order. */
function readSamples(path: string, language: string): string[] {
  const page = readFileSync(path, 'utf8');
  return [...page.matchAll(new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\``, 'gm'))].map(
    ([, code = '']) => code,
  );
}

const getSamples = (guide: string, language: string): string[] =>
  readSamples(join(guides, `${guide}.md`), language);

/** Returns the programs of the README. */
export const readmeSamples = (): string[] => readSamples(join(import.meta.dirname, '../README.md'), 'ts');

type ReadAll = (url: string, key: string) => Promise<unknown[]>;

/** Returns the function of the pagination guide, as a reader would copy it. */
export function loadGuideReader(): ReadAll {
  const [code = ''] = getSamples('pagination', 'js');
  // oxlint-disable-next-line typescript/no-implied-eval, typescript/no-unsafe-call -- the sample itself is tested
  return new Function(`${code}; return readAll;`)() as ReadAll;
}

/** Returns the `curl` commands of a guide as functions that send the request. */
export function curlCommands(guide: string): ((variables: Record<string, string>) => Promise<Response>)[] {
  const lines = getSamples(guide, 'bash').join('\n').replaceAll('\\\n', ' ').split('\n');
  const commands = lines.filter((line) => line.startsWith('curl '));
  return commands.map((line) => (variables) => send(parseWords(line.replace(/ \| jq .*/, ''), variables)));
}

/** Splits a command line like a shell. Variables are replaced except in single quotes. */
function parseWords(line: string, variables: Record<string, string>): string[] {
  const fill = (text: string): string =>
    text.replaceAll(/\$([A-Z]+)/g, (_, name: string) => {
      const value = variables[name];
      if (value === undefined) throw new Error(`the guide does not define $${name}: ${line}`);
      return value;
    });
  return [...line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
    ([, literal, quoted, bare]) => literal ?? fill(quoted ?? bare ?? ''),
  );
}

async function send([program, ...words]: string[]): Promise<Response> {
  if (program !== 'curl') throw new Error(`${program} is not curl`);
  const headers = new Headers();
  let method: string | undefined;
  let body: string | undefined;
  let url: string | undefined;
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    const next = (): string => words[(at += 1)] ?? '';
    if (word === '-s') continue;
    else if (word === '-X') method = next();
    else if (word === '-d') body = next();
    else if (word === '-H') {
      const [name = '', value = ''] = next().split(/: (.*)/s);
      headers.set(name, value);
    } else if (word.startsWith('-')) throw new Error(`curl ${word} is not supported here`);
    else url = word;
  }
  if (url === undefined) throw new Error('curl without an address');
  const sent = method ?? (body === undefined ? 'GET' : 'POST');
  return fetch(url, { method: sent, headers, ...(body === undefined ? {} : { body }) });
}
