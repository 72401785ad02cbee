/** Lints docs/openapi.json by the strict rules of Redocly. Exits with 1 on any finding. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createConfig, lint } from '@redocly/openapi-core';

const config = await createConfig({ extends: ['recommended-strict'] });
const file = join(import.meta.dirname, '../../../docs/openapi.json');
const found = await lint({ ref: file, config });

// Redocly does not see references in extensions.
const extension = JSON.stringify(
  (JSON.parse(readFileSync(file, 'utf8')) as { 'x-error-codes': object })['x-error-codes'],
);
const isUsedByExtension = (pointer: string | undefined): boolean =>
  pointer !== undefined && extension.includes(`"${pointer}"`);
const problems = found.filter(
  ({ ruleId, location }) => ruleId !== 'no-unused-components' || !isUsedByExtension(location[0]?.pointer),
);
for (const { ruleId, message, location } of problems) {
  console.log(`${ruleId}: ${message} (${location[0]?.pointer ?? 'document'})`);
}
console.log(`${problems.length} findings in docs/openapi.json`);
if (problems.length > 0) process.exitCode = 1;
