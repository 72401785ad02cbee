/** Writes docs/openapi-operator.json, which git does not track: `npm start` and the image of the gateway run this. */
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createApiDocument } from './openapi/document.ts';
import { operatorApi } from './openapi/operator-api.ts';

const file = join(import.meta.dirname, '../../..', 'docs/openapi-operator.json');
// A gateway may read the file at any time.
const written = `${file}.${process.pid}`;
writeFileSync(written, `${JSON.stringify(createApiDocument(operatorApi), null, 2)}\n`);
renameSync(written, file);
