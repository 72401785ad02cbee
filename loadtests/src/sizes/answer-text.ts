import { readFileSync } from 'node:fs';

const prose = ['architecture', 'operations', 'performance']
  .map((name) => readFileSync(new URL(`../../../docs/${name}.md`, import.meta.url), 'utf8'))
  .join('\n');
const characters = 1_300;

/** As long as the answers of platforms usually are, and real prose: Postgres compresses what is long. */
export function answerText(): string {
  const start = Math.floor(Math.random() * (prose.length - characters));
  return prose.slice(start, start + characters);
}
