export { configurationDocument, loadConfigSchema } from './configuration.ts';
export { eventSchemas } from './event-schemas.ts';
export { openApiDocument } from './openapi/document.ts';
export { referencePages } from './reference-pages.ts';
export { schemaDumps } from './schema-dumps.ts';
export { sdkSources } from './sdk.ts';
