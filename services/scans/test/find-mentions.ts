import { extract } from '@bv/extraction';
import type { ParsedAnswer } from '../src/platforms/platform.ts';

/** The name, number of mentions and position of each brand in a parsed answer. */
export function findMentions({ answerText, sources }: ParsedAnswer, ...names: string[]): unknown[] {
  const brands = names.map((name) => ({
    id: name,
    name,
    domain: `${name}.example`,
    aliases: [],
    isOwn: false,
  }));
  return extract({ answerText, sources, brands }).map(({ brandId, mentionCount, position }) => [
    brandId,
    mentionCount,
    position,
  ]);
}
