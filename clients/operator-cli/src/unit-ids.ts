import { createHash } from 'node:crypto';

const lineFeed = 0x0a;
const openBrace = 0x7b;
/** The import refuses longer lines, so they are sent as they are. */
const maxLineBytes = 16_000_000;
/** Identifies the ids made here; any constant UUID would do. */
const namespace = Buffer.from('5d0f6c1e0b7a4f0c9a53c1f1b0a8e7d2', 'hex');

/**
 * Adds a unit_id to each line of a batch that has none. It depends on the content of the line alone, so that a line
 * sent again is a duplicate, whatever became of the lines around it.
 */
export async function* withUnitIds(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const line = new LineBuffer();
  for await (const piece of pieces) {
    const out: Buffer[] = [];
    let start = 0;
    for (let end = piece.indexOf(lineFeed); end >= 0; end = piece.indexOf(lineFeed, start)) {
      out.push(...line.append(piece.subarray(start, end + 1)), withUnitId(line.take()));
      start = end + 1;
    }
    out.push(...line.append(piece.subarray(start)));
    const whole = Buffer.concat(out);
    if (whole.length > 0) yield whole;
  }
  const last = line.take();
  if (last.length > 0) yield withUnitId(last);
}

/** One buffer for all lines: a list of the pieces of a line would cost more than the line. */
class LineBuffer {
  readonly #bytes = Buffer.allocUnsafe(maxLineBytes);
  #length = 0;
  #isTooLong = false;

  /** Returns what cannot be kept: the bytes of a line that is too long. */
  append(piece: Buffer): Buffer[] {
    if (!this.#isTooLong && this.#length + piece.length <= maxLineBytes) {
      piece.copy(this.#bytes, this.#length);
      this.#length += piece.length;
      return [];
    }
    this.#isTooLong = true;
    const kept = this.#copy();
    this.#length = 0;
    return [kept, piece];
  }

  /** The line so far; empty where it was too long. The next one begins. */
  take(): Buffer {
    const taken = this.#copy();
    this.#length = 0;
    this.#isTooLong = false;
    return taken;
  }

  #copy(): Buffer {
    return Buffer.from(this.#bytes.subarray(0, this.#length));
  }
}

/** The id is inserted into the text, so that the rest of the line is sent as it was written. */
function withUnitId(line: Buffer): Buffer {
  const text = line.toString().trim();
  if (!lacksUnitId(text)) return line;
  const at = line.indexOf(openBrace) + 1;
  const field = Buffer.from(`"unit_id":"${uuidOf(text)}",`);
  return Buffer.concat([line.subarray(0, at), field, line.subarray(at)]);
}

function lacksUnitId(text: string): boolean {
  if (!text.startsWith('{')) return false;
  try {
    const value = JSON.parse(text) as object;
    return Object.keys(value).length > 0 && !Object.hasOwn(value, 'unit_id');
  } catch {
    return false;
  }
}

/** A UUID of version 5 (RFC 9562). */
function uuidOf(name: string): string {
  const bytes = createHash('sha1').update(namespace).update(name).digest().subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x50;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
