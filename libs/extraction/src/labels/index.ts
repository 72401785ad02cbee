export {
  agreementOf,
  agreements,
  percent,
  rateByLexicon,
  type Ratings,
  scoreTones,
  toReport,
} from './agreement.ts';
export { type LabelledPassage, parsePassages, toBrands, unseenLabels } from './labelled-passages.ts';
