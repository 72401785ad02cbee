import { minPrompts, type ValidationDetail } from '@bv/contract';
import type { Arms } from '@bv/statistics';
import type { PromptText } from './prompt-slices.ts';

const maxPrompts = 1000;

/** Prompts of an arm, as sent. */
export type ArmRequest = { prompt_ids?: string[] | undefined; tags?: string[] | undefined };

/** `promptIds` has the prompts of the tags too, each once. */
export type ArmPrompts = { promptIds: string[]; tags: string[] };

/** The prompts of both arms among those of the brand, or what is wrong with them. */
export function resolveArms(
  sent: Arms<ArmRequest>,
  prompts: readonly PromptText[],
): { arms: Arms<ArmPrompts> } | { details: ValidationDetail[] } {
  const arms = { treated: resolveArm(sent.treated, prompts), control: resolveArm(sent.control, prompts) };
  const treated = new Set(arms.treated.promptIds);
  if (arms.control.promptIds.some((id) => treated.has(id))) {
    return { details: [{ path: 'control', code: 'prompts_overlap', message: 'A prompt is in both arms' }] };
  }
  const known = new Set(prompts.map(({ id }) => id));
  const details = (['treated', 'control'] as const).flatMap((arm) => [
    ...checkSize(arm, arms[arm].promptIds.length),
    ...(sent[arm].prompt_ids ?? []).flatMap((id, index) =>
      known.has(id)
        ? []
        : [
            {
              path: `${arm}.prompt_ids.${index}`,
              code: 'not_found',
              message: 'The brand has no such prompt',
            },
          ],
    ),
  ]);
  return details.length > 0 ? { details: details.slice(0, 100) } : { arms };
}

function resolveArm(
  { prompt_ids: ids = [], tags = [] }: ArmRequest,
  prompts: readonly PromptText[],
): ArmPrompts {
  const tagged = prompts.filter((prompt) => prompt.tags?.some((tag) => tags.includes(tag)) === true);
  return { promptIds: [...new Set([...ids, ...tagged.map(({ id }) => id)])], tags };
}

function checkSize(arm: string, prompts: number): ValidationDetail[] {
  if (prompts < minPrompts) {
    return [{ path: arm, code: 'too_few', message: `An arm has at least ${minPrompts} prompts` }];
  }
  if (prompts > maxPrompts) {
    return [{ path: arm, code: 'too_big', message: `An arm has at most ${maxPrompts} prompts` }];
  }
  return [];
}
