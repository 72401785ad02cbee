import { z } from 'zod';
import { operation } from '../operation.ts';
import {
  BooleanFilter,
  BrandParams,
  MarketFilter,
  noQuery,
  OrgParams,
  page,
  PlatformFilter,
  PromptParams,
  resourceId,
} from '../parameters.ts';
import { Prompt, PromptSyncResult } from '../resources/prompt.ts';
import {
  Countries,
  platformIds,
  Platforms,
  PlatformsOrOmitted,
  promptIdentity,
  PromptText,
  Tags,
  text,
} from '../scalars.ts';

export const listPrompts = operation({
  id: 'listPrompts',
  service: 'catalog',
  method: 'GET',
  path: '/orgs/{orgId}/prompts',
  summary: 'List the prompts of an organisation',
  description:
    'Prompts of all own brands, active and inactive. Ordered by `created_at`, then `id`. Filters are combined.',
  params: OrgParams,
  query: z.object({
    ...page,
    brand_id: resourceId('brand').optional().describe('Only prompts of this own brand.'),
    active: BooleanFilter.describe('`true` for active prompts only, `false` for inactive ones only.'),
    tag: text(1, 100, { trim: true })
      .optional()
      .describe('Only prompts with this label.')
      .meta({ examples: ['crm'] }),
    platform: PlatformFilter.describe('Only prompts that are put to this platform.'),
    country: MarketFilter.describe('Only prompts that are put in this market, ISO 3166-1 alpha-2.'),
  }),
  body: null,
  success: { status: 200, kind: 'list', data: Prompt },
});

export const createPrompt = operation({
  id: 'createPrompt',
  service: 'catalog',
  method: 'POST',
  path: '/orgs/{orgId}/brands/{brandId}/prompts',
  summary: 'Create a prompt under an own brand',
  description:
    'From the next scan on, the prompt is put to each of its platforms in each of its countries. While active it counts towards the limits of prompts and countries. An active prompt with the same text is a `conflict`; case and surrounding spaces do not count. Archived brands refuse it. The text cannot be changed later.',
  params: BrandParams,
  query: noQuery,
  body: z.object({
    text: PromptText,
    countries: Countries,
    platforms: Platforms.optional()
      .describe('AI platforms that the prompt is put to.')
      .meta({ default: platformIds }),
    tags: Tags.optional().meta({ default: [] }),
    active: z.boolean().optional().meta({ default: true }),
  }),
  success: { status: 201, kind: 'item', data: Prompt },
  errors: ['conflict', 'brand_archived', 'prompt_writes_busy', 'prompt_cap_exceeded', 'country_cap_exceeded'],
});

/** The texts that occur more than once, each as in its first row. */
function repeatedTexts(rows: readonly { text: string }[]): string[] {
  const first = new Map<string, string>();
  const repeated = new Set<string>();
  for (const { text: promptText } of rows) {
    const identity = promptIdentity(promptText);
    const earlier = first.get(identity);
    if (earlier === undefined) first.set(identity, promptText);
    else repeated.add(earlier);
  }
  return [...repeated];
}

const PromptSyncInput = z
  .object({
    text: PromptText,
    countries: Countries,
    platforms: PlatformsOrOmitted.describe(
      'When omitted or empty: all five for a new prompt, no change of an existing one.',
    ),
    tags: Tags.optional(),
    active: z.boolean().optional(),
  })
  .meta({ id: 'PromptSyncInput' });

const PromptSyncBody = z
  .object({
    prompts: z.array(PromptSyncInput).max(1000),
    deactivate_missing: z
      .boolean()
      .optional()
      .describe(
        'Whether the sync deactivates every active prompt of the brand that `prompts` does not list. An empty list then deactivates all.',
      )
      .meta({ default: true }),
  })
  .superRefine((body, ctx) => {
    const texts = repeatedTexts(body.prompts);
    if (texts.length === 0) return;
    ctx.addIssue({
      code: 'custom',
      path: ['prompts'],
      message: 'The same text occurs more than once',
      params: { error: 'duplicate_prompt_text', details: { texts } },
    });
  });

export const syncPrompts = operation({
  id: 'syncPrompts',
  service: 'catalog',
  method: 'PUT',
  path: '/orgs/{orgId}/brands/{brandId}/prompts',
  summary: 'Replace the prompts of an own brand by a list; prompts that it lacks are deactivated',
  description:
    '`prompts` is the desired state of the brand, at most 1000 rows. First, active prompts that it lacks are deactivated, unless `deactivate_missing` is `false`: an empty list then deactivates all. Then the rows are applied in order.\n\nEach row is applied on its own. A refused row is `failed` with its `error` in a `200`, and the others stay applied, so read `summary.failed`. Fields that a row omits stay as they are on an existing prompt. Prompts are never deleted.',
  params: BrandParams,
  query: noQuery,
  body: PromptSyncBody,
  success: { status: 200, kind: 'item', data: PromptSyncResult },
  errors: ['duplicate_prompt_text', 'brand_archived'],
});

const PromptPatch = z
  .object({
    countries: Countries.optional(),
    platforms: Platforms.optional(),
    tags: Tags.optional(),
    active: z.boolean().optional(),
    text: z
      .unknown()
      .optional()
      .refine((value) => value === undefined, {
        message: 'The text of a prompt cannot be changed',
        params: { error: 'text_immutable' },
      })
      .meta({ not: {}, description: 'Immutable: a body carrying it is refused with text_immutable.' }),
  })
  .superRefine((patch, ctx) => {
    const { countries, platforms, tags, active } = patch;
    if ([countries, platforms, tags, active].every((field) => field === undefined)) {
      ctx.addIssue({
        code: 'custom',
        path: [],
        message: 'At least one of countries, platforms, tags, active is required',
        params: { code: 'empty_patch' },
      });
    }
  })
  .meta({ minProperties: 1 });

export const updatePrompt = operation({
  id: 'updatePrompt',
  service: 'catalog',
  method: 'PATCH',
  path: '/orgs/{orgId}/prompts/{promptId}',
  summary: 'Update, deactivate or reactivate a prompt',
  description:
    'Omitted fields stay as they are; a list replaces the stored one. `active: true` reactivates the prompt and is checked like a creation. `active: false` frees its place under the limits and is always accepted, for an archived brand only as the sole field. A change counts from the next scan on.',
  params: PromptParams,
  query: noQuery,
  body: PromptPatch,
  success: { status: 200, kind: 'item', data: Prompt },
  errors: [
    'text_immutable',
    'conflict',
    'brand_archived',
    'prompt_writes_busy',
    'prompt_cap_exceeded',
    'country_cap_exceeded',
  ],
});
