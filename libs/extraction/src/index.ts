export type { TrackedBrand } from './brand-matcher.ts';
export { withoutCitationMarks } from './citation-marks.ts';
export { extract } from './extract.ts';
export type { BrandResult } from './extract.ts';
export { detectLanguage } from './language.ts';
export { namedSentences } from './named-sentences.ts';
export { isPublicHost } from './public-host.ts';
export { rateTone } from './sentiment.ts';
