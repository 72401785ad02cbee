import type { PromptResult } from '@bv/sdk';

type Kind = 'own' | 'competitor' | 'other';
export type Segment = { text: string; kind: Kind | undefined; name: string | undefined };
type Span = { start: number; end: number; kind: Kind; name: string };

/** Splits an answer at its evidence. Offsets count code points, and JavaScript's strings count UTF-16 units. */
export function toSegments(
  result: Pick<PromptResult, 'answer_text' | 'brands'> & Partial<Pick<PromptResult, 'others'>>,
): Segment[] {
  const characters = Array.from(result.answer_text ?? '');
  const spans: Span[] = [
    ...result.brands.flatMap(({ name, is_own: isOwn, evidence }) =>
      evidence.map((at): Span => ({ ...at, name, kind: isOwn ? 'own' : 'competitor' })),
    ),
    ...(result.others ?? []).map((other): Span => ({ ...other, kind: 'other' })),
  ].toSorted((a, b) => a.start - b.start || b.end - a.end);
  const segments: Segment[] = [];
  let position = 0;
  const add = (to: number, kind?: Kind, name?: string) => {
    if (to > position) segments.push({ text: characters.slice(position, to).join(''), kind, name });
    position = Math.max(position, to);
  };
  for (const { start, end, kind, name } of spans) {
    // Of two names on the same characters the first is marked.
    if (start < position) continue;
    add(start);
    add(Math.min(end, characters.length), kind, name);
  }
  add(characters.length);
  return segments;
}
