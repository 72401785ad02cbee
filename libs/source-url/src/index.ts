export { isPublicName, normalizeSourceUrl, sourceDomain } from './source-url.ts';
export type { SourceUrl } from './source-url.ts';
