import type { DateWindow } from '@bv/contract';
import type { Payload, SortValue } from './payload.ts';

/** The part of a payload that the cursor contains. The collection is only authenticated, as additional data. */
export type Content = Pick<Payload, 'filters' | 'sort' | 'token' | 'window'>;

const tag = { null: 0, number: 1, text: 2, uuid: 3 } as const;
const has = { window: 1, token: 2 } as const;
const canonicalUuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

export function pack({ filters, window, sort, token }: Content): Buffer {
  const sent = Object.entries(filters).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return Buffer.concat([
    Buffer.of((window ? has.window : 0) | (token === undefined ? 0 : has.token)),
    ...(window ? [packValue(window.from), packValue(window.to)] : []),
    ...(token === undefined ? [] : [packValue(token)]),
    packCount(sent.length),
    ...sent.flatMap(([name, value]) => [packValue(name), packValue(value)]),
    packCount(sort.length),
    ...sort.map(packValue),
  ]);
}

/** Throws on bytes that `pack` did not write. */
export function unpack(bytes: Buffer): Content {
  const reader = createReader(bytes);
  const flags = reader.byte();
  const window: DateWindow | undefined =
    flags & has.window ? { from: reader.text(), to: reader.text() } : undefined;
  const token = flags & has.token ? reader.text() : undefined;
  const filters = Object.fromEntries(reader.list(() => [reader.text(), reader.text()] as const));
  const sort = reader.list(() => reader.value());
  reader.end();
  return { filters, sort, ...(window ? { window } : {}), ...(token === undefined ? {} : { token }) };
}

function packCount(count: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(count);
  return bytes;
}

function packValue(value: SortValue): Buffer {
  if (value === null) return Buffer.of(tag.null);
  if (typeof value === 'number') {
    const bytes = Buffer.alloc(9, tag.number);
    bytes.writeDoubleBE(value, 1);
    return bytes;
  }
  if (canonicalUuid.test(value)) {
    return Buffer.concat([Buffer.of(tag.uuid), Buffer.from(value.replaceAll('-', ''), 'hex')]);
  }
  const text = Buffer.from(value);
  return Buffer.concat([Buffer.of(tag.text), packCount(text.length), text]);
}

type Reader = {
  byte(): number;
  value(): SortValue;
  text(): string;
  list<T>(item: () => T): T[];
  end(): void;
};

function createReader(bytes: Buffer): Reader {
  let at = 0;
  const take = (length: number): Buffer => {
    if (at + length > bytes.length) throw new Error('the cursor is truncated');
    at += length;
    return bytes.subarray(at - length, at);
  };
  const byte = () => take(1).readUInt8();
  const count = () => take(2).readUInt16BE();
  const value = (): SortValue => {
    switch (byte()) {
      case tag.null:
        return null;
      case tag.number:
        return take(8).readDoubleBE();
      case tag.text:
        return take(count()).toString();
      case tag.uuid:
        return take(16)
          .toString('hex')
          .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
      default:
        throw new Error('the cursor has a value of an unknown type');
    }
  };
  return {
    byte,
    value,
    text: () => {
      const text = value();
      if (typeof text !== 'string') throw new Error('the cursor has a value that is not text');
      return text;
    },
    list: (item) => Array.from({ length: count() }, item),
    end: () => {
      if (at !== bytes.length) throw new Error('the cursor has trailing bytes');
    },
  };
}
