import { type ApiError, type DataOf, syncActions, type syncPrompts } from '@bv/contract';

type SyncAnswer = DataOf<typeof syncPrompts>;
export type SyncResult = SyncAnswer['results'][number];

/** The result of what was done; `index` is null for a prompt the body left out. */
export function doneResult(
  index: number | null,
  prompt: { id: string; text: string },
  action: SyncResult['action'],
): SyncResult {
  return { index, text: prompt.text, action, prompt_id: prompt.id, error: null };
}

export function failedResult(
  index: number | null,
  prompt: { id: string | null; text: string },
  { code, message, details }: ApiError,
): SyncResult {
  const error = { code, message, ...(details === undefined ? {} : { details }) };
  return { index, text: prompt.text, action: 'failed', prompt_id: prompt.id, error };
}

/** In the order of application: what was missing first, then the rows of the body. */
export function syncAnswer(recorded: readonly SyncResult[]): SyncAnswer {
  const results = recorded.toSorted((one, other) => (one.index ?? -1) - (other.index ?? -1));
  const counts = Object.fromEntries(syncActions.map((action) => [action, 0])) as Record<
    SyncResult['action'],
    number
  >;
  for (const { action } of results) counts[action] += 1;
  return { results, summary: { total: results.length, ...counts } };
}
