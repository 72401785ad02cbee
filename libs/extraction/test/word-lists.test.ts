import { expect, test } from '@jest/globals';
import { roleWords } from '../src/passages/role-words.ts';
import { startsWithPronoun } from '../src/passages/words.ts';
import { getLexicon, lexiconLanguages, toneLanguage } from '../src/tone/lexicon.ts';

test.each(lexiconLanguages)('every line of tone and grammar of %s can be read', (code) => {
  const language = toneLanguage(code) ?? code;
  expect(getLexicon(language)).not.toBeNull();
  expect(roleWords(language)).not.toBeNull();
  expect(startsWithPronoun('', language)).toBe(false);
});
