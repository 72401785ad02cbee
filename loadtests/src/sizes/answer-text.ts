import { readFileSync } from 'node:fs';

const prose = ['architecture', 'operations', 'performance']
  .map((name) => readFileSync(new URL(`../../../docs/${name}.md`, import.meta.url), 'utf8'))
  .join('\n');
const characters = 1_300;

/** A text as long as a usual AI answer. Real prose, because Postgres compresses long texts. */
export function answerText(): string {
  const start = Math.floor(Math.random() * (prose.length - characters));
  return prose.slice(start, start + characters);
}
