export { configurationDocument, loadConfigSchema } from './configuration.ts';
export { errorCodesPage } from './error-codes-page.ts';
export { eventSchemas } from './event-schemas.ts';
export { createApiDocument } from './openapi/document.ts';
export { operatorApi } from './openapi/operator-api.ts';
export { publicApi } from './openapi/public-api.ts';
export { referencePages } from './reference-pages.ts';
export { schemaDumps } from './schema-dumps.ts';
export { sdkSources } from './sdk.ts';
