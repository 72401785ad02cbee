import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

export const chartDir = join(import.meta.dirname, '../../../deploy/helm/brand-visibility');

export type Values = { [key: string]: unknown };

export const isMap = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const readValues = (): Values => parse(readFileSync(join(chartDir, 'values.yaml'), 'utf8')) as Values;

/** Comments that start with `# --`, by the path of the key below them. */
export function readComments(): Map<string, string> {
  const comments = new Map<string, string>();
  const path: { key: string; indent: number }[] = [];
  let comment: string[] | undefined;
  for (const line of readFileSync(join(chartDir, 'values.yaml'), 'utf8').split('\n')) {
    const [, begin, text] = /^\s*# (-- )?(.*)$/.exec(line) ?? [];
    if (text !== undefined) {
      if (begin) comment = [text];
      else comment?.push(text);
      continue;
    }
    const [, spaces, key] = /^( *)([\w-]+):/.exec(line) ?? [];
    if (key === undefined || spaces === undefined) continue;
    while ((path.at(-1)?.indent ?? -1) >= spaces.length) path.pop();
    path.push({ key, indent: spaces.length });
    if (comment) comments.set(path.map((step) => step.key).join('.'), comment.join(' '));
    comment = undefined;
  }
  return comments;
}
