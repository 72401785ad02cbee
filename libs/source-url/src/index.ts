export { asciiHost } from './ascii-host.ts';
export { isPublicName, normalizeSourceUrl, sourceDomain } from './source-url.ts';
export type { SourceUrl } from './source-url.ts';
