import { access, open, readFile, rename, rm, writeFile, type FileHandle } from 'node:fs/promises';
import { CommandError, UsageError } from './failure.ts';

/** How far an export is: stored after every page. */
export type ExportState = {
  /** Arguments of the export. `--resume` needs the same. */
  key: string;
  /** Id of the last segment that is complete; null before the first is. */
  done: string | null;
  /** Cursor of the next page of the segment after it; null for its first page. */
  cursor: string | null;
  rows: number;
  bytes: number;
  /** Where the segment starts, for a restart. */
  segmentRows: number;
  segmentBytes: number;
};

export type OpenMode = 'force' | 'new' | 'resume';

const exists = async (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/**
 * The file of an export. Rows go to `<out>.part`, and `<out>.state.json` says how far they are valid. The complete file
 * gets its name at the end.
 */
export class ExportFile {
  readonly isKept: boolean = true;
  readonly #out: string;
  readonly #part: FileHandle;
  #bytes: number;

  private constructor(out: string, part: FileHandle, bytes: number) {
    this.#out = out;
    this.#part = part;
    this.#bytes = bytes;
  }

  static async open(out: string, mode: OpenMode, key: string) {
    if (mode !== 'force' && (await exists(out))) {
      throw new UsageError(`${out} exists: pass --force to replace it`);
    }
    if (mode === 'resume') return ExportFile.#resume(out, key);
    try {
      const part = await open(`${out}.part`, mode === 'force' ? 'w' : 'wx');
      await rm(`${out}.state.json`, { force: true });
      return { file: new ExportFile(out, part, 0), state: undefined };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      throw new UsageError(`${out}.part is an unfinished export: pass --resume or --force`, { cause: error });
    }
  }

  static async #resume(out: string, key: string) {
    const text = await readFile(`${out}.state.json`, 'utf8').catch(() => undefined);
    if (text === undefined)
      throw new UsageError(`there is no unfinished export: ${out}.state.json is missing`);
    const state = JSON.parse(text) as ExportState;
    if (state.key !== key) throw new UsageError(`the unfinished export has other arguments: ${state.key}`);
    const part = await open(`${out}.part`, 'r+');
    const file = new ExportFile(out, part, state.bytes);
    const { size } = await part.stat();
    if (size < state.bytes) {
      await part.close();
      throw new CommandError(`${out}.part is shorter than its state: pass --force to start again`);
    }
    await part.truncate(state.bytes);
    return { file, state };
  }

  get bytes(): number {
    return this.#bytes;
  }

  async append(content: Uint8Array): Promise<void> {
    for (let at = 0; at < content.length;) {
      // An almost full disk takes a part of it.
      const { bytesWritten } = await this.#part.write(content, at, content.length - at, this.#bytes + at);
      at += bytesWritten;
    }
    this.#bytes += content.length;
  }

  async truncate(bytes: number): Promise<void> {
    await this.#part.truncate(bytes);
    this.#bytes = bytes;
  }

  /** Replaces the state at once, so that a crash leaves the earlier one. */
  async saveState(state: ExportState): Promise<void> {
    const path = `${this.#out}.state.json`;
    await writeFile(`${path}.new`, JSON.stringify(state));
    await rename(`${path}.new`, path);
  }

  async finish(): Promise<void> {
    await this.#part.sync();
    await this.#part.close();
    await rename(`${this.#out}.part`, this.#out);
    await rm(`${this.#out}.state.json`, { force: true });
  }

  /** Closes the file. What cannot be continued is removed. */
  async abandon(canContinue: boolean): Promise<void> {
    await this.#part.close();
    const ends = ['state.json.new', ...(canContinue ? [] : ['part', 'state.json'])];
    for (const end of ends) await rm(`${this.#out}.${end}`, { force: true });
  }
}
