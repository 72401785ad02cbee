import { type BrandVisibilityClient, isApiError, type Page } from '@bv/sdk';
import { setTimeout as sleep } from 'node:timers/promises';
import { type DatasetName, getDataset, type Row, type Segment, type Selection } from './datasets.ts';
import { ExportFile, type ExportState, type OpenMode } from './export-file.ts';
import { StandardOutput } from './standard-output.ts';
import { CommandError, describeError } from './failure.ts';
import { createEncoder, type Encoder, type FormatName } from './formats.ts';

export type ExportPlan = {
  dataset: DatasetName;
  format: FormatName;
  out: string;
  mode: OpenMode;
  selection: Selection;
};

export type ExportProgress = {
  rows: number;
  /** Share that is done, 0 to 1, if the order of the rows says it. */
  fraction: number | undefined;
  /** Restarts because the data changed. */
  restarts: number;
};

const maxRestarts = 10;

/** Copies lists to a file page by page. After each page, its state says where to continue. */
class Export {
  readonly #file: ExportFile | StandardOutput;
  readonly #encoder: Encoder;
  readonly #onPage: (page: Page<Row>, segmentsDone: number, restarts: number) => void;
  #state: ExportState;
  #restarts = 0;

  constructor(
    file: ExportFile | StandardOutput,
    encoder: Encoder,
    state: ExportState,
    onPage: (page: Page<Row>, segmentsDone: number, restarts: number) => void,
  ) {
    this.#file = file;
    this.#encoder = encoder;
    this.#state = state;
    this.#onPage = onPage;
  }

  get rows(): number {
    return this.#state.rows;
  }

  async #save(changes: Partial<ExportState>): Promise<void> {
    this.#state = { ...this.#state, ...changes, bytes: this.#file.bytes };
    if (this.#encoder.isResumable) await this.#file.saveState(this.#state);
  }

  async start(): Promise<void> {
    await this.#file.truncate(0);
    await this.#file.append(this.#encoder.start());
    await this.#save({ done: null, cursor: null, rows: 0, segmentRows: 0, segmentBytes: this.#file.bytes });
  }

  /** Drops the rows of the segment, or of the whole file if the format cannot go back. */
  async #restart(error: unknown): Promise<void> {
    if (!isApiError(error, 'invalid_cursor') || this.#restarts >= maxRestarts) throw error;
    this.#restarts += 1;
    await sleep(200 * this.#restarts);
    if (!this.#encoder.isResumable) return this.start();
    const { segmentBytes, segmentRows } = this.#state;
    await this.#file.truncate(segmentBytes);
    return this.#save({ cursor: null, rows: segmentRows });
  }

  async #append(segment: Segment, { data, nextCursor }: Page<Row>): Promise<void> {
    await this.#file.append(this.#encoder.encode(data));
    const rows = this.#state.rows + data.length;
    const complete = { done: segment.id, segmentRows: rows, segmentBytes: this.#file.bytes };
    await this.#save({ rows, cursor: nextCursor, ...(nextCursor === null ? complete : {}) });
  }

  /** Index of the first segment that is not complete. */
  #next(segments: Segment[]): number {
    const { done } = this.#state;
    const at = segments.findIndex(({ id }) => id === done);
    if (done !== null && at < 0) throw new CommandError(`${done} no longer exists: start again with --force`);
    return at + 1;
  }

  async copy(segments: Segment[]): Promise<void> {
    for (let at = this.#next(segments); at < segments.length; at = this.#next(segments)) {
      const segment = segments[at]!;
      let page: Page<Row>;
      try {
        page = await segment.read(this.#state.cursor ?? undefined).page();
      } catch (error) {
        await this.#restart(error);
        continue;
      }
      await this.#append(segment, page);
      this.#onPage(page, at, this.#restarts);
    }
    await this.#file.append(this.#encoder.end());
  }
}

/** How much of the window is done, by the last row of a page, or by the end of the part after its last page. */
function getFraction({ from, to }: Selection, { data, hasMore }: Page<Row>, part: Segment): number {
  const day = hasMore ? String(data.at(-1)?.['run_date']) : part.from;
  const days = Date.parse(to) - Date.parse(from);
  if (days === 0) return hasMore ? 0 : 1;
  return (Date.parse(to) - Date.parse(day)) / days;
}

export const adviseResume = (rows: number, out: string): string =>
  `${rows} rows are in ${out}.part. Repeat the command with --resume to continue.`;

/** Copies a dataset to a file. Returns the number of rows and bytes. */
export async function runExport(
  client: BrandVisibilityClient,
  plan: ExportPlan,
  report: (progress: ExportProgress) => void = () => undefined,
): Promise<{ rows: number; bytes: number }> {
  const { dataset, format, out, mode, selection } = plan;
  const { columns, isByDate, getSegments } = getDataset(dataset);
  const encoder = createEncoder(format, columns);
  const key = JSON.stringify({ dataset, format, ...selection });
  const segments = await getSegments(client, selection);
  const { file, state } =
    out === '-' ? { file: new StandardOutput(), state: undefined } : await ExportFile.open(out, mode, key);
  const empty = { key, done: null, cursor: null, rows: 0, bytes: 0, segmentRows: 0, segmentBytes: 0 };
  const run = new Export(file, encoder, state ?? empty, (page, done, restarts) => {
    const bySegments = segments.length > 1 ? (done + 1) / segments.length : undefined;
    const fraction = isByDate ? getFraction(selection, page, segments[done]!) : bySegments;
    report({ rows: run.rows, fraction, restarts });
  });
  try {
    if (state === undefined) await run.start();
    await run.copy(segments);
    const { bytes } = file;
    await file.finish();
    return { rows: run.rows, bytes };
  } catch (error) {
    const canContinue = encoder.isResumable && file.isKept && run.rows > 0;
    await file.abandon(canContinue);
    const advice = canContinue ? adviseResume(run.rows, out) : 'Nothing is kept.';
    throw new CommandError(`${describeError(error)}\n${advice}`, { cause: error });
  }
}
