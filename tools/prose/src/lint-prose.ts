/**
 * Checks the wording of documentation, pictures, the API description, the chart, alert texts, comments and log messages
 * by `.textlintrc.json`, the mean length of sentences of the documentation, and the length of commit subjects. Prints each finding as
 * `file:line: message` and exits with status 1 if there is one.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLinter, loadTextlintrc } from 'textlint';
import { LineCounter, parseDocument, visit } from 'yaml';
import { meanSentence } from './mean-sentence.ts';
import { type Passage, readSource } from './read-source.ts';

const toolDir = join(import.meta.dirname, '..');
const root = join(toolDir, '../..');
const chart = 'deploy/helm/brand-visibility';
const alertTexts = new Set(['summary', 'description']);
const maxSubjectLength = 72;
/** Words of a sentence. The longest one is a rule of textlint. */
const maxMeanWords = 17;
/** Subjects up to this commit are not checked: they cannot change any more. */
const subjectsSince = '04f9de5';

const git = (...args: string[]): string => execFileSync('git', args, { cwd: root, encoding: 'utf8' });
const read = (file: string): string => readFileSync(join(root, file), 'utf8');

/** The changelog quotes commits. The style guide and the glossary quote the words that they replace. */
const quoting = new Set(['CHANGELOG.md', 'STYLE_GUIDE.md', 'docs/glossary.md']);

function listFiles(...patterns: string[]): string[] {
  const files = git('ls-files', '--cached', '--others', '--exclude-standard', ...patterns).split('\n');
  return files.filter((file) => file !== '' && !quoting.has(file) && existsSync(join(root, file)));
}

const documents = (): Passage[] => listFiles('*.md').map((file) => ({ file, line: 1, text: read(file) }));
const sources = (): Passage[] =>
  listFiles('*.ts', ':!*/generated/*').flatMap((file) => readSource(file, read(file)));

/** Annotations that an operator reads when an alert fires. */
function alerts(): Passage[] {
  const file = `${chart}/files/alerts.yaml`;
  const lines = new LineCounter();
  const passages: Passage[] = [];
  visit(parseDocument(read(file), { lineCounter: lines }), {
    Pair(_, { key, value }) {
      const name = String((key as { value?: unknown }).value);
      const scalar = value as { value?: unknown; range?: [number] };
      if (!alertTexts.has(name) || scalar.range === undefined) return;
      passages.push({ file, line: lines.linePos(scalar.range[0]).line, text: String(scalar.value) });
    },
  });
  return passages;
}

/** Comments of the values: each run of comment lines is one passage. */
function valueComments(): Passage[] {
  const file = `${chart}/values.yaml`;
  const passages: Passage[] = [];
  let open: Passage | undefined;
  for (const [index, line] of read(file).split('\n').entries()) {
    const comment = /^\s*#+ ?(?:-- )?(.*)$/.exec(line)?.[1];
    if (comment === undefined) open = undefined;
    else if (open === undefined) passages.push((open = { file, line: index + 1, text: comment }));
    else open.text += `\n${comment}`;
  }
  return passages;
}

function notes(): Passage {
  const file = `${chart}/templates/NOTES.txt`;
  return { file, line: 1, text: read(file).replaceAll(/\{\{.*?\}\}/g, 'value') };
}

/** Texts of the API description, each once: it repeats those of errors in every operation. */
function apiTexts(): Passage[] {
  const file = 'docs/openapi.json';
  const texts = new Map<string, Passage>();
  for (const [index, line] of read(file).split('\n').entries()) {
    const [, text] = /^ *"(?:summary|description|message)": (".*"),?$/.exec(line) ?? [];
    if (text === undefined || texts.has(text)) continue;
    texts.set(text, { file, line: index + 1, text: JSON.parse(text) as string });
  }
  return [...texts.values()];
}

/** Each text element of the pictures. */
const pictures = (): Passage[] =>
  listFiles('docs/*.svg').flatMap((file) =>
    read(file)
      .split('\n')
      .flatMap((line, index) =>
        [...line.matchAll(/<text[^>]*>([^<]*)/g)].map(([, text = '']) => ({ file, line: index + 1, text })),
      ),
  );

async function findings(passages: readonly Passage[]): Promise<string[]> {
  const descriptor = await loadTextlintrc({
    configFilePath: join(toolDir, '.textlintrc.json'),
    node_modulesDir: join(toolDir, 'node_modules'),
  });
  const linter = createLinter({ descriptor });
  const found: string[] = [];
  for (const { file, line, text } of passages) {
    const { messages } = await linter.lintText(text, `${file}.md`);
    for (const message of messages) {
      found.push(`${file}:${line + message.loc.start.line - 1}: ${message.message}`);
    }
  }
  return found;
}

/** A shallow clone has not all commits and is not checked. */
function findLongSubjects(): string[] {
  if (git('rev-parse', '--is-shallow-repository').trim() === 'true') return [];
  const commits = git('log', '--no-merges', '--format=%h %s', `${subjectsSince}..HEAD`).trim().split('\n');
  return commits
    .filter((commit) => commit.slice(commit.indexOf(' ') + 1).length > maxSubjectLength)
    .map((commit) => `commit ${commit}: subject longer than ${maxSubjectLength} characters`);
}

const texts = documents();
const mean = meanSentence(texts.map(({ text }) => text));
const all = [
  ...(await findings([
    ...texts,
    ...alerts(),
    ...valueComments(),
    notes(),
    ...sources(),
    ...apiTexts(),
    ...pictures(),
  ])),
  ...(mean > maxMeanWords ? [`the mean sentence has more than ${maxMeanWords} words`] : []),
  ...findLongSubjects(),
];
for (const finding of all) console.log(finding);
console.log(`mean sentence of the documentation: ${mean.toFixed(1)} words`);
console.log(
  `${all.length} findings in documentation, chart, alerts, comments, log messages and commit subjects`,
);
if (all.length > 0) process.exitCode = 1;
