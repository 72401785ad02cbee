import { describe, expect, it } from '@jest/globals';
import {
  exampleIds,
  KeyInput,
  operatorCreateOrg,
  operatorListOrgBrands,
  operatorPutLink,
} from '@bv/contract';
import type { z } from 'zod';
import { parseFields } from './fields.ts';

const read = (schema: z.ZodType, name: string, text: string): unknown =>
  parseFields(schema)
    .find((field) => field.name === name)
    ?.read(text);

describe('fields of a body as options', () => {
  it('have required flags, accepted values and defaults', () => {
    const [scope, reference] = parseFields(operatorPutLink.body);
    expect([scope, reference]).toMatchObject([
      { option: 'scope', required: true, hint: 'Whether the partner may also write; read_only | read_write' },
      {
        option: 'external-ref',
        required: false,
        hint: "The partner's own reference of the organisation; null for none",
      },
    ]);
    expect(parseFields(KeyInput).find(({ option }) => option === 'per-minute')?.hint).toBe(
      'Requests allowed in a clock minute; whole number from 1 to 1000000; default 120',
    );
  });

  it('parse numbers, lists, null and objects', () => {
    expect(read(KeyInput, 'per_minute', '60')).toBe(60);
    expect(read(KeyInput, 'scopes', 'read, write')).toEqual(['read', 'write']);
    expect(read(KeyInput, 'monthly_quota', 'null')).toBeNull();
    expect(read(operatorCreateOrg.body, 'overrides', 'prompts=5,countries=null,api_access=true')).toEqual({
      prompts: 5,
      countries: null,
      api_access: true,
    });
    expect(read(operatorCreateOrg.body, 'overrides', '{"prompts":5}')).toEqual({ prompts: 5 });
  });

  it('know defaults and examples of transformed input, and switches from flags', () => {
    const scopes = parseFields(KeyInput).find(({ option }) => option === 'scopes');
    expect(scopes?.hint).toMatch(/read,write; separated by commas; default read$/);
    const [own] = parseFields(operatorListOrgBrands.query).filter(({ option }) => option === 'is-own');
    expect(own).toMatchObject({ kind: 'switch', example: 'true' });
    const [orgId] = parseFields(operatorListOrgBrands.params);
    expect(orgId).toMatchObject({ name: 'orgId', example: exampleIds.organisation });
  });

  it('keep text of another type for the schema to reject', () => {
    expect(read(KeyInput, 'per_minute', 'many')).toBe('many');
    expect(read(operatorCreateOrg.body, 'overrides', '{"prompts"')).toBe('{"prompts"');
  });
});
