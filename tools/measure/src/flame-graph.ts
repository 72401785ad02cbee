import type { Stack } from './cpu-profile.ts';

type Block = { name: string; samples: number; children: Map<string, Block> };

const width = 1_200;
const rowHeight = 16;
/** Narrower blocks are not readable and make the file large. */
const minShare = 0.004;
const colours = ['#f6c344', '#f2a541', '#ee8434', '#f08a4b', '#f3b562'];

/** A flame graph as a small SVG. Each block has its share as a tooltip. */
export function flameGraph(title: string, stacks: readonly Stack[]): string {
  const root: Block = { name: title, samples: 0, children: new Map() };
  for (const { frames, samples } of stacks) {
    let block = root;
    block.samples += samples;
    for (const { name, place } of frames) {
      const label = `${name} ${place}`.trim();
      const next = block.children.get(label) ?? { name: label, samples: 0, children: new Map() };
      next.samples += samples;
      block.children.set(label, next);
      block = next;
    }
  }
  const rows: string[][] = [];
  draw(root, { depth: 0, x: 0, total: root.samples, rows });
  const height = rows.length * rowHeight + 8;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="10">`,
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    ...rows.flat(),
    '</svg>',
    '',
  ].join('\n');
}

type Place = { depth: number; x: number; total: number; rows: string[][] };

function draw(block: Block, { depth, x, total, rows }: Place): void {
  const share = block.samples / total;
  if (share < minShare) return;
  const size = share * width;
  const y = depth * rowHeight + 4;
  const text = escape(block.name);
  const shown = escape(block.name.slice(0, Math.floor(size / 5.6)));
  const colour = colours[(depth + block.name.length) % colours.length];
  (rows[depth] ??= []).push(
    `<g><title>${text}: ${(share * 100).toFixed(1)} %</title><rect x="${x.toFixed(1)}" y="${y}" width="${size.toFixed(1)}" height="${rowHeight - 1}" fill="${colour}"/>` +
      (shown.length > 3 ? `<text x="${(x + 2).toFixed(1)}" y="${y + 11}">${shown}</text></g>` : '</g>'),
  );
  let at = x;
  for (const child of [...block.children.values()].toSorted((one, other) => other.samples - one.samples)) {
    draw(child, { depth: depth + 1, x: at, total, rows });
    at += (child.samples / total) * width;
  }
}

const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
