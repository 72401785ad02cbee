export type { TrackedBrand } from './brand-matcher.ts';
export { withoutCitationMarks } from './citation-marks.ts';
export { extract } from './extract.ts';
export type { BrandResult } from './extract.ts';
export { detectLanguage } from './language.ts';
export { brandPassages } from './passages.ts';
export type { BrandPassages } from './passages.ts';
export { isPublicHost } from './public-host.ts';
export { rateTone } from './tone.ts';
