export { normalizeSourceUrl, registrableDomain, sourceDomain } from './source-url.ts';
export type { SourceUrl } from './source-url.ts';
