/** Lints the OpenAPI documents: the strict rules of Redocly and our own for enums. Exits with 1 on any finding. */
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { createApiDocument } from './openapi/document.ts';
import type { OpenApiJson } from './openapi/openapi-json.ts';
import { operatorApi } from './openapi/operator-api.ts';
import { publicApi } from './openapi/public-api.ts';
import { listSent, reachable, type Schema, walk } from './openapi/walk.ts';

const config = await createConfig({ extends: ['recommended-strict'] });

/** Words that languages of clients reserve, and members of every enum of Kotlin, Java or Python. */
const keywords = new Set(
  `abstract and as async await base bool boolean break byte case catch char class const continue decimal default defer
  delegate delete do double else end enum event export extends extern false final finally float for foreach from func
  function get global go goto if implements import in init int interface internal is lambda let lock long loop match
  mod module move name namespace native new nil none not null object operator or ordinal out override package params
  pass print private protected protocol public raise range readonly ref repeat require rescue retry return sealed select
  self set short static string struct super switch synchronized then this throw trait transient true try type undef
  union unless unsafe until use using val value values var virtual void volatile when where while with yield`.split(
    /\s+/,
  ),
);

const isNumber = ({ type, const: constant }: Schema): boolean =>
  [type, typeof constant].flat().some((each) => each === 'number' || each === 'integer');

/** Enums that some generator cannot express, or that would make a client refuse a later response. */
function lintEnums(document: OpenApiJson): string[] {
  const found = new Set<string>();
  walk(document, (schema, path) => {
    if (isNumber(schema) && ('enum' in schema || 'const' in schema))
      found.add(`a number with values (${path})`);
    const names = schema['x-enum-varnames'];
    // Kotlin writes the value of the default, not its name.
    if (schema.default !== undefined && names !== undefined && !names.includes(schema.default))
      found.add(`a default that x-enum-varnames renames (${path})`);
    const values = 'x-enum-varnames' in schema ? [] : (schema.enum ?? []);
    const reserved = values.filter((value) => keywords.has(String(value).toLowerCase()));
    if (reserved.length > 0) found.add(`keywords without x-enum-varnames: ${reserved.join(', ')} (${path})`);
  });
  const rejectEnum = (schema: Schema, path: string): void => {
    if ('enum' in schema) found.add(`an enum that the API sends, instead of x-extensible-enum (${path})`);
  };
  const sent = listSent(document);
  walk(sent, rejectEnum);
  const schemas: Record<string, object> = document.components.schemas;
  for (const name of reachable(sent, schemas)) walk(schemas[name], rejectEnum, `#/schemas/${name}`);
  return [...found];
}

for (const api of [publicApi, operatorApi]) {
  const document = createApiDocument(api) as OpenApiJson;
  // Redocly does not see references in extensions.
  const extension = JSON.stringify(document['x-error-codes']);
  const found = await lintFromString({ source: JSON.stringify(document), config });
  const problems = found
    .filter(
      ({ ruleId, location }) =>
        ruleId !== 'no-unused-components' || !extension.includes(`"${location[0]?.pointer ?? ''}"`),
    )
    .map(({ ruleId, message, location }) => `${ruleId}: ${message} (${location[0]?.pointer ?? 'document'})`)
    .concat(lintEnums(document));
  for (const problem of problems) console.log(problem);
  console.log(`${problems.length} findings in the ${api.name} API`);
  if (problems.length > 0) process.exitCode = 1;
}
