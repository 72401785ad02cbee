import { splitByKind, topFunctions, type MachineUse, type SelfTime, type Stack } from '@bv/measure';
import type { HotPath } from './hot-paths.ts';

export type PathProfile = {
  path: HotPath;
  stacks: readonly Stack[];
  /** CPU of the service's main thread. */
  cpuUsPerCall: number;
};

const maxFunctions = 5;

const percent = (share: number): string => `${(share * 100).toFixed(0)} %`;

/** Markdown: a row for each path with its CPU by kind of work, and the functions with the highest share. */
export function profileReport(profiles: readonly PathProfile[], { others }: MachineUse): string {
  const splits = profiles.map(({ stacks }) => splitByKind(stacks));
  const totalOf = (kind: string): number => splits.reduce((sum, split) => sum + (split.get(kind) ?? 0), 0);
  const kinds = [...new Set(splits.flatMap((split) => [...split.keys()]))].toSorted(
    (one, other) => totalOf(other) - totalOf(one),
  );
  const rows = profiles.map(({ path, cpuUsPerCall }, index) => [
    path.title,
    path.service,
    cpuUsPerCall.toFixed(0),
    ...kinds.map((kind) => percent(splits[index]?.get(kind) ?? 0)),
  ]);
  const header = ['', 'service', 'us per call', ...kinds];
  const table = [header, header.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  const top = profiles.map(
    ({ path, stacks }) => `- ${path.title}: ${topFunctions(stacks, maxFunctions).map(describe).join('; ')}`,
  );
  const machine = `Other programs used ${percent(others)} of the machine in the worst half minute.`;
  return [...table, '', ...top, '', machine].join('\n');
}

const describe = ({ name, place, kind, share }: SelfTime): string =>
  `\`${name}\` (${place === '' ? 'native' : place}, ${kind}) ${percent(share)}`;
