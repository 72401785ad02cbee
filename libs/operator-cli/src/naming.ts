import type { Operation } from '@bv/contract';

/** How a command is called and which of its path parameters is the thing itself, named by its place. */
export type CommandName = {
  group: string;
  verb: string;
  /** Path parameters given as options: `{orgId}` is `--org`. */
  options: { param: string; option: string }[];
  /** Path parameter given by its place: the id of the thing the verb is about. */
  argument: string | null;
};

/** Nouns that people call otherwise than the contract does. */
const spoken: Record<string, string> = { 'scan-credits': 'credits' };

const kebab = (words: string): string => words.replaceAll(/(?<!^)([A-Z])/g, '-$1').toLowerCase();
const withoutId = (param: string): string => kebab(param.replace(/Id$/, ''));
const plural = (noun: string): string => (noun.endsWith('s') || noun === 'usage' ? noun : `${noun}s`);

const pathParams = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '');

/** `operatorCreateOrgKey` below `/orgs/{orgId}` is `keys create --org`; a new operation gets its name like the others. */
export function nameCommand({ id, path }: Pick<Operation, 'id' | 'path'>): CommandName {
  const [verb = '', ...rest] = kebab(id.replace(/^operator/, '')).split('-');
  const params = pathParams(path);
  const thing = rest.join('-');
  const owner = params.find((param) => thing.startsWith(`${withoutId(param)}-`));
  const noun = owner === undefined ? thing : thing.slice(withoutId(owner).length + 1);
  const argument = params.find((param) => withoutId(param) === noun) ?? null;
  return {
    group: spoken[plural(noun)] ?? plural(noun),
    verb,
    options: params
      .filter((param) => param !== argument)
      .map((param) => ({ param, option: withoutId(param) })),
    argument,
  };
}
