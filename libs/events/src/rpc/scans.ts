import { Count, DiscoveredKind, Percent, PlatformId, Timestamp, Uuid } from '@bv/contract';
import { z } from 'zod';
import { defineRpc } from './rpc.ts';

/**
 * Lets the LLM judge rate brands in an answer: sentiment, and whether the text means the brand. Replicas without an LLM
 * judge do not reply. The reply is null if it fails or its budget is spent, and omits brands without a judgement.
 */
export const judgeAnswerRpc = defineRpc({
  subject: 'rpc.scans.judge-answer',
  // One call of the LLM judge.
  timeoutMs: 30_000,
  request: z.object({
    brand_id: Uuid.describe('The own brand whose unit has the answer.'),
    answer_text: z.string(),
    brand_ids: z.array(Uuid).describe('The brands to rate.'),
    versions: z
      .array(z.object({ brand_id: Uuid, version: z.int() }))
      .describe('Versions of brands that the caller has: older ones are requested from catalog first.'),
  }),
  reply: z.array(z.object({ brand_id: Uuid, sentiment: Percent, means_brand: z.boolean() })).nullable(),
});

/**
 * Lets the LLM judge say what names are, and which are other spellings of one, in one call. `same_as` is the key of a name
 * of the request. The reply is null if it fails or its budget is spent, empty if what it gave is not usable, and omits
 * names without a usable judgement.
 */
export const judgeNamesRpc = defineRpc({
  subject: 'rpc.scans.judge-names',
  timeoutMs: judgeAnswerRpc.timeoutMs,
  request: z.object({
    names: z.array(
      z.object({ key: z.string(), name: z.string(), domain: z.string().nullable(), is_judged: z.boolean() }),
    ),
  }),
  reply: z
    .array(z.object({ key: z.string(), kind: DiscoveredKind, same_as: z.string().nullable() }))
    .nullable(),
});

/** The prices of an answer, in USD, of the platforms that have one. */
export const findAnswerPricesRpc = defineRpc({
  subject: 'rpc.scans.find-answer-prices',
  // Short, because without a reply only costs are missing.
  timeoutMs: 1_000,
  request: z.object({}),
  reply: z.partialRecord(PlatformId, z.number()),
});

const Answers = { units: Count, cost_usd: z.number().nullable() };

/** The units that organisations asked in a month, and what they cost. It omits organisations that asked none. */
export const listAnswersRpc = defineRpc({
  subject: 'rpc.scans.list-answers',
  timeoutMs: 5_000,
  request: z.object({ month: z.string().describe('YYYY-MM'), org_ids: z.array(Uuid) }),
  reply: z.array(z.object({ org_id: Uuid, ...Answers })),
});

/** What an organisation has used in this month, and its credits. */
export const findAllowanceRpc = defineRpc({
  subject: 'rpc.scans.find-allowance',
  // Short, because without a reply the read of an organisation lacks only these figures.
  timeoutMs: 2_000,
  request: z.object({ org_id: Uuid }),
  reply: z.object({
    used: Count,
    resets_at: Timestamp,
    scan_credits: Count,
    // Absent in replies of a replica of the previous version.
    answers: z.object({ month: z.string(), ...Answers }).optional(),
  }),
});
