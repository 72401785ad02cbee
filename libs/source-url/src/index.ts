export { normaliseHost } from './host-name.ts';
export { asciiHost } from './ascii-host.ts';
export { isPublicHost } from './public-host.ts';
export { resolveLink } from './redirects.ts';
export { isPublicName, normalizeSourceUrl, sourceDomain } from './source-url.ts';
export type { SourceUrl } from './source-url.ts';
