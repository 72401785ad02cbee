import type { Operation } from '@bv/contract';

/** The name of a command, its options, and the path parameter that is its positional argument. */
export type CommandName = {
  group: string;
  verb: string;
  /** Path parameters that are options: `{orgId}` is `--org`. */
  options: { param: string; option: string }[];
  /** Path parameter that is the positional argument: the id of the resource that the verb changes. */
  argument: string | null;
};

/** Groups whose name differs from the plural of the contract's noun. */
const irregularPlurals: Record<string, string> = { 'scan-credits': 'credits' };

const toKebabCase = (words: string): string => words.replaceAll(/(?<!^)([A-Z])/g, '-$1').toLowerCase();
const withoutId = (param: string): string => toKebabCase(param.replace(/Id$/, ''));
function plural(noun: string): string {
  if (noun.endsWith('s') || noun === 'usage') return noun;
  return /[^aeiou]y$/.test(noun) ? `${noun.slice(0, -1)}ies` : `${noun}s`;
}

/** Replaces ids of operations in a text by the names of their commands. */
export const toCommandNames = (text: string, operations: readonly Pick<Operation, 'id' | 'path'>[]): string =>
  text.replaceAll(/\boperator[A-Z]\w+/g, (id) => {
    const operation = operations.find((each) => each.id === id);
    if (operation === undefined) return id;
    const { group, verb } = nameCommand(operation);
    return `\`${group} ${verb}\``;
  });

const pathParams = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '');

/** Derives the name of a command: `operatorCreateOrgKey` with `/orgs/{orgId}` is `keys create --org`. */
export function nameCommand({ id, path }: Pick<Operation, 'id' | 'path'>): CommandName {
  const [verb = '', ...rest] = toKebabCase(id.replace(/^operator/, '')).split('-');
  const params = pathParams(path);
  const subject = rest.join('-');
  const owner = params.find((param) => subject.startsWith(`${withoutId(param)}-`));
  const noun = owner === undefined ? subject : subject.slice(withoutId(owner).length + 1);
  const argument = params.find((param) => withoutId(param) === noun) ?? null;
  return {
    group: irregularPlurals[plural(noun)] ?? plural(noun),
    verb,
    options: params
      .filter((param) => param !== argument)
      .map((param) => ({ param, option: withoutId(param) })),
    argument,
  };
}
