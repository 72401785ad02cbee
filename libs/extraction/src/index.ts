export type { TrackedBrand } from './brand-matcher.ts';
export { withoutCitationMarks } from './citation-marks.ts';
export { extract } from './extract.ts';
export type { BrandResult } from './extract.ts';
export { detectLanguage, namedSentences } from './find-brands.ts';
export { isPublicHost } from './public-host.ts';
export { rateTone } from './sentiment.ts';
