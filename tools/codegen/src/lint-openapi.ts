/** Lints docs/openapi.json by the strict rules of Redocly, without exceptions. Exits with 1 on any finding. */
import { join } from 'node:path';
import { createConfig, lint } from '@redocly/openapi-core';

const config = await createConfig({ extends: ['recommended-strict'] });
const problems = await lint({ ref: join(import.meta.dirname, '../../../docs/openapi.json'), config });
for (const { ruleId, message, location } of problems) {
  console.log(`${ruleId}: ${message} (${location[0]?.pointer ?? 'document'})`);
}
console.log(`${problems.length} findings in docs/openapi.json`);
if (problems.length > 0) process.exitCode = 1;
