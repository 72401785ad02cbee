import { type ApiError, type ResponseData, syncActions, type syncPrompts } from '@bv/contract';

type SyncResponse = ResponseData<typeof syncPrompts>;
export type SyncResult = SyncResponse['results'][number];

/** The result of a row that succeeded; `index` is null for a prompt that the body omits. */
export function successResult(
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

/** Builds the response in the order of application: missing prompts first, then the rows of the body. */
export function toSyncResponse(recorded: readonly SyncResult[]): SyncResponse {
  const results = recorded.toSorted((one, other) => (one.index ?? -1) - (other.index ?? -1));
  const counts = Object.fromEntries(syncActions.map((action) => [action, 0])) as Record<
    SyncResult['action'],
    number
  >;
  for (const { action } of results) counts[action] += 1;
  return { results, summary: { total: results.length, ...counts } };
}
