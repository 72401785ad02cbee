import { afrikaans } from './af.ts';
import { danish } from './da.ts';
import { german } from './de.ts';
import { english } from './en.ts';
import { spanish } from './es.ts';
import { finnish } from './fi.ts';
import { french } from './fr.ts';
import { hindi } from './hi.ts';
import { indonesian } from './id.ts';
import { italian } from './it.ts';
import { japanese } from './ja.ts';
import { korean } from './ko.ts';
import { dutch } from './nl.ts';
import { polish } from './pl.ts';
import { portuguese } from './pt.ts';
import { swedish } from './sv.ts';
import { tagalog } from './tl.ts';
import { chinese } from './zh.ts';
import type { ToneWords } from './tone-words.ts';

export type { ToneWords } from './tone-words.ts';

/** The word lists by ISO 639-1 code of their language. */
export const toneWords: Readonly<Record<string, ToneWords>> = {
  af: afrikaans,
  da: danish,
  de: german,
  en: english,
  es: spanish,
  fi: finnish,
  fr: french,
  hi: hindi,
  id: indonesian,
  it: italian,
  ja: japanese,
  ko: korean,
  nl: dutch,
  pl: polish,
  pt: portuguese,
  sv: swedish,
  tl: tagalog,
  zh: chinese,
};
