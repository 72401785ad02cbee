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
import { norwegian } from './no.ts';
import { polish } from './pl.ts';
import { portuguese } from './pt.ts';
import { swedish } from './sv.ts';
import { tagalog } from './tl.ts';
import { chinese } from './zh.ts';
import type { AbsenceWords } from './absence-words.ts';

export type { AbsenceWords } from './absence-words.ts';

/** The absence statements by ISO 639-1 code of their language. */
export const absenceWords: Readonly<Record<string, AbsenceWords>> = {
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
  no: norwegian,
  pl: polish,
  pt: portuguese,
  sv: swedish,
  tl: tagalog,
  zh: chinese,
};
