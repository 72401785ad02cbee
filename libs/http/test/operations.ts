import { operation, operatorOperation } from '@bv/contract';
import { z } from 'zod';

/** Small operations that have every trait the library treats differently. */
const Thing = z.strictObject({ id: z.uuid(), name: z.string() });
const ThingParams = z.object({
  thingId: z.preprocess((id) => (typeof id === 'string' ? id.toLowerCase() : id), z.uuid()),
});
const limit = z.preprocess(
  (value) => (typeof value === 'string' ? Number(value) : value),
  z.int().min(1).max(200),
);

export const listThings = operation({
  id: 'listThings',
  service: 'catalog',
  method: 'GET',
  path: '/things',
  summary: 'List things',
  params: z.object({}),
  query: z.object({
    limit: limit.default(50),
    kind: z.enum(['a', 'b']).optional(),
    tag: z.string().optional(),
  }),
  body: null,
  success: { status: 200, kind: 'list', data: Thing },
});

export const getThing = operation({
  id: 'getThing',
  service: 'catalog',
  method: 'GET',
  path: '/things/{thingId}',
  summary: 'Read a thing',
  params: ThingParams,
  query: z.object({}),
  body: null,
  success: { status: 200, kind: 'item', data: Thing },
  errors: ['scan_in_progress', 'brand_archived'],
});

export const getSummary = operation({
  id: 'getSummary',
  service: 'catalog',
  method: 'GET',
  path: '/things/summary',
  summary: 'Read the summary, whose path looks like an id',
  params: z.object({}),
  query: z.object({}),
  body: null,
  success: { status: 200, kind: 'item', data: z.strictObject({ count: z.int() }) },
});

export const createThing = operation({
  id: 'createThing',
  service: 'catalog',
  method: 'POST',
  path: '/things/{thingId}/parts',
  summary: 'Create a part',
  params: ThingParams,
  query: z.object({ verbose: z.enum(['true']).optional() }),
  body: z
    .object({
      name: z.string().min(1).max(20),
      fixed: z
        .unknown()
        .optional()
        .refine((value) => value === undefined, { params: { error: 'text_immutable' } }),
      rows: z.array(z.object({ country: z.string() })).optional(),
    })
    .superRefine(({ rows = [] }, ctx) => {
      rows.forEach(({ country }, index) => {
        if (country === 'DE') return;
        const params = { code: 'unsupported_country' };
        ctx.addIssue({ code: 'custom', path: ['rows', index, 'country'], message: 'Not scanned', params });
      });
    }),
  success: { status: 201, kind: 'item', data: Thing },
  errors: ['text_immutable', 'brand_exists', 'competitor_cap_exceeded'],
});

export const strictThing = operation({
  id: 'strictThing',
  service: 'catalog',
  method: 'PUT',
  path: '/things/{thingId}',
  summary: 'A body that allows no other fields',
  params: ThingParams,
  query: z.object({}),
  body: z.strictObject({ name: z.string() }),
  success: { status: 200, kind: 'item', data: Thing },
});

export const touchThing = operation({
  id: 'touchThing',
  service: 'catalog',
  method: 'POST',
  path: '/things/{thingId}/touch',
  summary: 'A write without a body',
  params: ThingParams,
  query: z.object({}),
  body: null,
  success: { status: 202, kind: 'item', data: Thing },
});

export const getOrgThing = operation({
  id: 'getOrgThing',
  service: 'catalog',
  method: 'GET',
  path: '/owners/{orgId}/things/{thingId}',
  summary: 'Read a thing of an organisation',
  params: ThingParams.extend({ orgId: z.uuid() }),
  query: z.object({}),
  body: null,
  success: { status: 200, kind: 'item', data: Thing },
});

export const operatorGetOrgThing = operatorOperation({
  id: 'operatorGetOrgThing',
  service: 'catalog',
  method: 'GET',
  path: '/owners/{orgId}/things/{thingId}',
  summary: 'Read a thing of any organisation',
  params: ThingParams.extend({ orgId: z.uuid() }),
  query: z.object({}),
  body: null,
  success: { status: 200, kind: 'item', data: Thing },
});

export const operatorChange = operatorOperation({
  id: 'operatorChange',
  service: 'catalog',
  method: 'POST',
  path: '/things',
  summary: 'A change that others must have applied',
  params: z.object({}),
  query: z.object({}),
  body: null,
  success: { status: 201, kind: 'item', data: z.strictObject({ ok: z.literal(true) }) },
});

export const operatorImport = operatorOperation({
  id: 'operatorImport',
  service: 'catalog',
  method: 'POST',
  path: '/import',
  summary: 'A streamed body',
  params: z.object({}),
  query: z.object({}),
  body: null,
  bodyKind: 'ndjson',
  success: { status: 201, kind: 'item', data: z.strictObject({ lines: z.int() }) },
});
