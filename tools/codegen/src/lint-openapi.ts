/** Lints the OpenAPI documents by the strict rules of Redocly. Exits with 1 on any finding. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createConfig, lint } from '@redocly/openapi-core';

const config = await createConfig({ extends: ['recommended-strict'] });

/** Redocly does not see references in extensions. */
function readExtension(file: string): string {
  const document = JSON.parse(readFileSync(file, 'utf8')) as { 'x-error-codes': object };
  return JSON.stringify(document['x-error-codes']);
}

for (const path of ['docs/openapi.json', 'docs/openapi-operator.json']) {
  const file = join(import.meta.dirname, '../../..', path);
  const extension = readExtension(file);
  const found = await lint({ ref: file, config });
  const problems = found.filter(
    ({ ruleId, location }) =>
      ruleId !== 'no-unused-components' || !extension.includes(`"${location[0]?.pointer ?? ''}"`),
  );
  for (const { ruleId, message, location } of problems) {
    console.log(`${ruleId}: ${message} (${location[0]?.pointer ?? 'document'})`);
  }
  console.log(`${problems.length} findings in ${path}`);
  if (problems.length > 0) process.exitCode = 1;
}
