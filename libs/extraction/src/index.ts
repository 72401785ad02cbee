export { absenceLanguages } from './absence/absences.ts';
export { extract } from './extract.ts';
export type { BrandResult } from './extract.ts';
export { applyJudgements } from './judgements.ts';
export type { JudgedResult, Judgement } from './judgements.ts';
export {
  agreementOf,
  agreements,
  percent,
  rateByLexicon,
  type Ratings,
  scoreTones,
  toReport,
} from './labels/agreement.ts';
export { type LabelledPassage, parsePassages, toBrands, unseenLabels } from './labels/labelled-passages.ts';
export { declinedLanguages } from './names/declensions.ts';
export type { TrackedBrand } from './names/tracked-brand.ts';
export { brandPassages } from './passages/passages.ts';
export type { BrandPassages } from './passages/passages.ts';
export { withoutCitationMarks } from './text/citation-marks.ts';
export { detectLanguage } from './tone/language.ts';
export { lexiconLanguages } from './tone/lexicon.ts';
export { rateTone } from './tone/tone.ts';
