import { isForm, type Node } from './nodes.ts';

/** The statements of a language by what they may start with. */
export type Starts = {
  withWord(word: string): readonly Node[];
  withCharacter(character: string): readonly Node[];
};

export function createStarts(statements: readonly Node[]): Starts {
  const anyWord = statements.filter(({ firstWords }) => firstWords === null);
  const byWord = new Map<string, Node[]>();
  const stems = new Map<string, Set<string>>();
  for (const statement of statements) {
    for (const form of statement.firstWords ?? []) {
      byWord.set(form, [...(byWord.get(form) ?? anyWord), statement]);
      if (form.endsWith('~')) addTo(stems, form.charAt(0), form);
    }
  }
  const byCharacter = new Map<string, Node[]>();
  for (const character of new Set(statements.flatMap(({ starts }) => [...(starts ?? [])]))) {
    byCharacter.set(
      character,
      statements.filter(({ starts }) => starts === null || starts.has(character)),
    );
  }
  const anyCharacter = statements.filter(({ starts }) => starts === null);
  return {
    withWord: (word) => {
      const found = byWord.get(word) ?? anyWord;
      const forms = [...(stems.get(word.charAt(0)) ?? [])].filter((form) => isForm(word, form));
      if (forms.length === 0) return found;
      return [...new Set([found, ...forms.map((form) => byWord.get(form) ?? [])].flat())];
    },
    withCharacter: (character) => byCharacter.get(character) ?? anyCharacter,
  };
}

function addTo(sets: Map<string, Set<string>>, key: string, value: string): void {
  const set = sets.get(key);
  if (set === undefined) sets.set(key, new Set([value]));
  else set.add(value);
}
