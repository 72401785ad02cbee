import { expect, test } from '@jest/globals';
import { BodyBuffer } from './body-buffer.ts';

test('keeps the bytes of all pieces in their order', () => {
  const body = new BodyBuffer(100_000);
  const pieces = Array.from({ length: 1_000 }, (_, index) => Buffer.from(`piece ${index};`));
  for (const piece of pieces) expect(body.append(piece)).toBe(true);
  expect(body.toBuffer().equals(Buffer.concat(pieces))).toBe(true);
  expect(body.length).toBe(body.toBuffer().length);
});

test('a body of one piece is that piece', () => {
  const body = new BodyBuffer(10);
  const piece = Buffer.from('1234567890');
  expect(body.append(piece)).toBe(true);
  expect(body.toBuffer().buffer).toBe(piece.buffer);
});

test('an empty body is empty, and empty pieces change nothing', () => {
  const body = new BodyBuffer(10);
  expect(body.toBuffer()).toHaveLength(0);
  body.append(Buffer.from('a'));
  body.append(Buffer.alloc(0));
  body.append(Buffer.from('b'));
  expect(body.toBuffer().toString()).toBe('ab');
});

test('refuses the piece that exceeds the limit, and releases what it holds', () => {
  const body = new BodyBuffer(10);
  expect(body.append(Buffer.from('1234567890'))).toBe(true);
  expect(body.append(Buffer.from('1'))).toBe(false);
  expect(body.length).toBe(0);
});

test('a megabyte in 1-byte pieces costs at most 4 MB', () => {
  const body = new BodyBuffer(1_048_576);
  const piece = Buffer.from('x');
  const before = process.memoryUsage().arrayBuffers;
  for (let index = 0; index < 1_000_000; index += 1) body.append(piece);
  expect(body.length).toBe(1_000_000);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(4_194_304);
});
