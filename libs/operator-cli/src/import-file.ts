import { SingleBar } from 'cli-progress';
import { exitStatus, Failure } from './failure.ts';
import { openSource } from './import-source.ts';
import { LineBatches } from './line-batches.ts';
import { callPlane, type Call } from './plane.ts';
import { itemTable, rowsTable } from './present.ts';
import type { Run } from './run-command.ts';
import { showWaiting } from './waiting.ts';

type ImportOutcome = {
  imported: number;
  duplicates: number;
  skipped: number;
  rejected: { line: number; error: string }[];
};

/** The first is small so that progress shows soon. Each batch scores the days it touches, so they grow. */
const firstBatchBytes = 256 * 1024;
const maxBatchBytes = 8 * 1024 * 1024;
const shownRejections = 20;

/** Imports a file batch by batch; progress counts the lines that are stored and scored. */
export async function importFile(call: Call, file: string, run: Run): Promise<number> {
  const { target, terminal, json } = run;
  // A wrong token or address shows at once, not after a long upload.
  await callPlane(target, { method: 'GET', path: '/orgs?limit=1' });
  const source = await openSource(file, terminal);
  const bar = terminal.isInteractive ? startBar(source.bytes) : undefined;
  const batches = new LineBatches(source.stream);
  const work = importBatches(batches, call, { run, onProgress: (done) => bar?.show(done) });
  try {
    const outcome = await (bar === undefined ? showWaiting(terminal, 'importing', work) : work);
    bar?.stop();
    terminal.say(json ? `${JSON.stringify(outcome, null, 2)}\n` : importReport(outcome));
    return outcome.rejected.length > 0 ? exitStatus.refused : exitStatus.done;
  } finally {
    bar?.stop();
    source.close();
  }
}

type Progress = { bytes: number; lines: number };

async function importBatches(
  batches: LineBatches,
  call: Call,
  { run, onProgress }: { run: Run; onProgress: (done: Progress) => void },
): Promise<ImportOutcome> {
  const total: ImportOutcome = { imported: 0, duplicates: 0, skipped: 0, rejected: [] };
  let linesDone = 0;
  let size = firstBatchBytes;
  try {
    while (await batches.hasMore()) {
      const answer = await callPlane(run.target, { ...call, stream: batches.next(size) });
      const { imported, duplicates, skipped, rejected } = answer.data as ImportOutcome;
      total.imported += imported;
      total.duplicates += duplicates;
      total.skipped += skipped;
      for (const { line, error } of rejected) total.rejected.push({ line: linesDone + line, error });
      linesDone = batches.lines;
      onProgress({ bytes: batches.bytes, lines: linesDone });
      size = Math.min(size * 2, maxBatchBytes);
    }
    return total;
  } catch (error) {
    throw error instanceof Failure && linesDone > 0 ? interrupted(error, total, linesDone) : error;
  }
}

function interrupted(
  { status, message, advice, answer }: Failure,
  total: ImportOutcome,
  lines: number,
): Failure {
  const { imported, duplicates, skipped, rejected } = total;
  return new Failure(status, message, {
    advice: [
      `Lines 1 to ${lines} are done: ${imported} imported, ${duplicates} duplicates, ${skipped} skipped, ${rejected.length} rejected.`,
      'Import the file again to continue: lines with a unit_id that are stored already count as duplicates.',
      ...advice,
    ],
    answer,
  });
}

function importReport({ imported, duplicates, skipped, rejected }: ImportOutcome): string {
  const lines = [itemTable({ imported, duplicates, skipped, rejected: rejected.length })];
  if (rejected.length > 0) {
    lines.push('', rowsTable(rejected.slice(0, shownRejections)));
    if (rejected.length > shownRejections)
      lines.push(`… and ${rejected.length - shownRejections} more; --json shows all`);
    lines.push(
      '',
      'Correct these lines and import the file again: lines with a unit_id that are stored already count as duplicates.',
    );
  }
  return `${lines.join('\n')}\n`;
}

type Bar = { show: (done: Progress) => void; stop: () => void };

function startBar(bytes: number | undefined): Bar {
  const format =
    bytes === undefined
      ? 'importing {lines} lines, {duration_formatted}'
      : 'importing [{bar}] {percentage}% {lines} lines{left}';
  const bar = new SingleBar({ format, hideCursor: true });
  const startedAt = Date.now();
  bar.start(bytes ?? 0, 0, { lines: 0, left: '' });
  return {
    show: (done) => {
      const left = ((Date.now() - startedAt) / 1_000) * ((bytes ?? 0) / done.bytes - 1);
      bar.update(done.bytes, { lines: done.lines, left: `, ${Math.ceil(left)} s left` });
    },
    stop: () => bar.stop(),
  };
}
