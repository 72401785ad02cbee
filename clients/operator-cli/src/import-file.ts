import { SingleBar } from 'cli-progress';
import { exitStatus, Failure } from './failure.ts';
import { openSource } from './import-source.ts';
import { ImportTotal, type ImportOutcome } from './import-total.ts';
import { LineBatches } from './line-batches.ts';
import { callOperatorApi, type Call } from './operator-client.ts';
import { itemTable, rowsTable } from './present.ts';
import type { Run } from './command-input.ts';
import { withUnitIds } from './unit-ids.ts';
import { showWaiting } from './waiting.ts';

/** The first is small so that progress shows soon. Each batch scores the days it touches, so they grow. */
const firstBatchBytes = 256 * 1024;
const maxBatchBytes = 8 * 1024 * 1024;
/** The service details 12 MB of rejections per request, which is more than this many lines can have. */
const maxBatchLines = 10_000;
const shownRejections = 20;
const repeating =
  'Stored lines then count as duplicates: by their unit_id, or where they have none, by their content.';

/** Imports a file in batches. Progress counts the lines that are stored and scored. Returns the exit status. */
export async function importFile(call: Call, file: string, run: Run): Promise<number> {
  const { target, terminal, json } = run;
  // Detect a wrong token or address before a long upload.
  await callOperatorApi(target, { method: 'GET', path: '/orgs?limit=1' });
  const source = await openSource(file, terminal);
  const bar = terminal.isInteractive ? startBar(source.bytes) : undefined;
  const batches = new LineBatches(source.stream);
  const work = importBatches(batches, call, { run, onProgress: (done) => bar?.show(done) });
  try {
    const outcome = await (bar === undefined ? showWaiting(terminal, 'importing', work) : work);
    bar?.stop();
    terminal.print(json ? `${JSON.stringify(outcome.toJson(), null, 2)}\n` : importReport(outcome));
    return outcome.rejectedCount > 0 ? exitStatus.linesRejected : exitStatus.done;
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
): Promise<ImportTotal> {
  const total = new ImportTotal();
  let linesDone = 0;
  let size = firstBatchBytes;
  try {
    while (await batches.hasMore()) {
      const batch = batches.next({ bytes: size, lines: maxBatchLines });
      const response = await callOperatorApi(run.target, { ...call, stream: withUnitIds(batch) });
      total.add(response.data as ImportOutcome, linesDone);
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
  { status, message, hints, response }: Failure,
  total: ImportTotal,
  lines: number,
): Failure {
  const { imported, duplicates, skipped, rejectedCount } = total;
  return new Failure(status, message, {
    hints: [
      `Lines 1 to ${lines} are done: ${imported} imported, ${duplicates} duplicates, ${skipped} skipped, ${rejectedCount} rejected.`,
      `Import the file again to continue. ${repeating}`,
      ...hints,
    ],
    response,
  });
}

function importReport(total: ImportTotal): string {
  const { imported, duplicates, skipped, rejected, rejectedCount } = total;
  const lines = [itemTable({ imported, duplicates, skipped, rejected: rejectedCount })];
  if (rejectedCount > 0) {
    lines.push('', rowsTable(rejected.slice(0, shownRejections)));
    if (rejectedCount > shownRejections) {
      const some = rejectedCount > rejected.length ? `the first ${rejected.length}` : 'all';
      lines.push(`… and ${rejectedCount - shownRejections} more; --json shows ${some}`);
    }
    lines.push('', `Correct these lines and import the file again. ${repeating}`);
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
