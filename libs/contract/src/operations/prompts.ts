import { z } from 'zod';
import { operation } from '../operation.ts';
import {
  BooleanFilter,
  MarketFilter,
  noQuery,
  OrgParams,
  OwnBrandParams,
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
  summary: 'List prompts',
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

const countriesMeaning =
  'Markets in which the prompt is put, ISO 3166-1 alpha-2 in upper or lower case. Each must be a market of the installation.';

export const createPrompt = operation({
  id: 'createPrompt',
  service: 'catalog',
  method: 'POST',
  path: '/orgs/{orgId}/brands/{brandId}/prompts',
  summary: 'Create a prompt',
  description:
    'From the next scan on, the prompt is put to each of its platforms in each of its countries. While active it counts towards the limits of prompts and countries. An active prompt with the same text is a `conflict`; case and surrounding spaces do not count. Archived brands refuse it. The text cannot be changed later.',
  params: OwnBrandParams,
  query: noQuery,
  body: z.object({
    text: PromptText.describe('Text that is put to the platforms, as sent.'),
    countries: Countries.describe(countriesMeaning),
    platforms: Platforms.optional()
      .describe('AI platforms that the prompt is put to: all five when omitted.')
      .meta({ default: platformIds }),
    tags: Tags.optional()
      .describe('Labels of the prompt, to filter by. Repeated ones count once.')
      .meta({ default: [] }),
    active: z
      .boolean()
      .optional()
      .describe('Whether scans include the prompt. An inactive one does not count towards the limits.')
      .meta({ default: true }),
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
    text: PromptText.describe(
      'Text of the prompt, which identifies it. Case and surrounding spaces do not count.',
    ),
    countries: Countries.describe(countriesMeaning),
    platforms: PlatformsOrOmitted.describe(
      'AI platforms that the prompt is put to. When omitted or empty: all five for a new prompt, no change of an existing one.',
    ),
    tags: Tags.optional().describe(
      'Labels of the prompt. When omitted: none for a new prompt, no change of an existing one.',
    ),
    active: z
      .boolean()
      .optional()
      .describe(
        'Whether scans include the prompt. `true` when omitted, also for a prompt that is inactive now.',
      ),
  })
  .meta({ id: 'PromptSyncInput' });

const PromptSyncBody = z
  .object({
    prompts: z
      .array(PromptSyncInput)
      .max(1000)
      .describe(
        'All prompts that the brand shall have. Active prompts of the brand that are not here are deactivated.',
      ),
    deactivate_missing: z
      .boolean()
      .optional()
      .describe(
        '`true` deactivates every active prompt of the brand that `prompts` does not list; an empty list deactivates all. `false` leaves them active.',
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
  summary: 'Sync prompts',
  description:
    'A sync deactivates every active prompt of the brand that `prompts` does not list, and an empty list deactivates all. `deactivate_missing: false` prevents that.\n\n`prompts` has at most 1000 rows and is the desired state. After the deactivations, the rows are applied in order. A text that the brand lacks is created, an inactive one reactivated, an active one updated.\n\nAn invalid row or a text twice refuses the whole list with `400`. Otherwise each row is applied on its own. A refused row, such as one above a limit, is `failed` with its `error` in a `200`, and the others stay applied, so read `summary.failed`. Platforms and tags that a row omits stay as they are on an existing prompt. Prompts are never deleted.',
  params: OwnBrandParams,
  query: noQuery,
  body: PromptSyncBody,
  success: { status: 200, kind: 'item', data: PromptSyncResult },
  errors: ['duplicate_prompt_text', 'brand_archived'],
});

const PromptPatch = z
  .object({
    countries: Countries.optional().describe('Replaces all markets, ISO 3166-1 alpha-2.'),
    platforms: Platforms.optional().describe('Replaces all AI platforms that the prompt is put to.'),
    tags: Tags.optional().describe('Replaces all labels; an empty list removes them.'),
    active: z
      .boolean()
      .optional()
      .describe(
        '`true` includes the prompt in scans, within the limits. `false` excludes it; its results stay.',
      ),
    text: z
      .unknown()
      .optional()
      .refine((value) => value === undefined, {
        message: 'The text of a prompt cannot be changed',
        params: { error: 'text_immutable' },
      })
      .meta({
        not: {},
        description: 'The text cannot be changed: a body with it is refused with `text_immutable`.',
      }),
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
  summary: 'Update a prompt',
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
