import { setImmediate } from 'node:timers/promises';
import type { BreakdownBy, PromptKind } from '@bv/contract';
import { extract, type TrackedBrand } from '@bv/extraction';

/** What a prompt asks, as the catalog last said. `text` is null if its event came before this service kept texts. */
export type PromptText = { id: string; text: string | null; tags: string[]; active: boolean };

export type PromptKinds = ReadonlyMap<string, PromptKind>;

/** Other work of the process runs after so many prompts, which take about 50 ms. */
const promptsPerTurn = 200;

/** Which tracked brands each prompt mentions, by the rules by which answers are searched now, without the LLM judge. */
export async function classifyPrompts(
  prompts: readonly PromptText[],
  brands: readonly TrackedBrand[],
): Promise<PromptKinds> {
  const kinds = new Map<string, PromptKind>();
  for (const { id, text } of prompts) {
    kinds.set(id, toKind(text ?? '', brands));
    if (kinds.size % promptsPerTurn === 0) await setImmediate();
  }
  return kinds;
}

function toKind(text: string, brands: readonly TrackedBrand[]): PromptKind {
  const found = extract({ answerText: text, sources: [], brands });
  if (found.some(({ mentioned }, index) => mentioned && brands[index]?.isOwn)) return 'branded';
  return found.some(({ mentioned }) => mentioned) ? 'competitor' : 'unbranded';
}

/** `tag` '' selects prompts without tags. */
type Selection = { by: BreakdownBy; tag: string | null; kind: PromptKind | null };

/** The selected prompts, each with the key of every slice that it is in; null if all prompts count as they are. */
export function selectPrompts(
  prompts: readonly PromptText[],
  kinds: PromptKinds,
  { by, tag, kind }: Selection,
): { ids: string[]; keys: string[] } | null {
  if (by !== 'tag' && by !== 'prompt_kind' && tag === null && kind === null) return null;
  const isSelected = ({ id, tags }: PromptText): boolean =>
    (tag === null || (tag === '' ? tags.length === 0 : tags.includes(tag))) &&
    (kind === null || kinds.get(id) === kind);
  const toKeys = ({ id, tags }: PromptText): string[] => {
    if (by === 'tag') return tags.length === 0 ? [''] : tags;
    return [by === 'prompt_kind' ? (kinds.get(id) ?? '') : ''];
  };
  const slices = prompts
    .filter(isSelected)
    .flatMap((prompt) => toKeys(prompt).map((key) => ({ id: prompt.id, key })));
  return { ids: slices.map(({ id }) => id), keys: slices.map(({ key }) => key) };
}
