import { describe, expect, it } from '@jest/globals';
import { withUnitIds } from './unit-ids.ts';

async function* inPieces(text: string | Buffer, size: number): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
async function sent(text: string | Buffer, piece = 7): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const each of withUnitIds(inPieces(text, piece))) pieces.push(each);
  return Buffer.concat(pieces);
}
const idsOf = async (text: string, piece?: number) =>
  (await sent(text, piece))
    .toString()
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { unit_id: string }).unit_id);

const version5 = /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('a line without a unit_id', () => {
  it('gets one that depends on its content alone', async () => {
    const [one, two] = await idsOf('{"a":1}\n{"a":2}\n');
    expect(one).toMatch(version5);
    expect(two).toMatch(version5);
    expect(two).not.toBe(one);
    expect(await idsOf('{"a":2}\r\n\n  {"a":1} \n{"a":2}'.replace('\n\n', '\n'), 100)).toEqual([
      two,
      one,
      two,
    ]);
  });

  it('is otherwise sent as it was written', async () => {
    const id = (await idsOf('{"b": 1.0, "a": {"unit_id": "x"}, "t": "\\u00e9é"}'))[0];
    expect((await sent(' {"b": 1.0, "a": {"unit_id": "x"}, "t": "\\u00e9é"}\r\n')).toString()).toBe(
      ` {"unit_id":"${id}","b": 1.0, "a": {"unit_id": "x"}, "t": "\\u00e9é"}\r\n`,
    );
  });
});

it.each(['{"unit_id":"x","a":1}', '{"unit_id":null}', '{"unit_id":', '{}', '[{"a":1}]', '7', '', '\n\nx\n'])(
  'no id is added to %j',
  async (text) => {
    expect((await sent(text)).toString()).toBe(text);
  },
);

it('a line longer than an import takes, and bytes that are not UTF-8, are sent as they are', async () => {
  const long = `{"a":"${'x'.repeat(16_000_000)}"}`;
  const whole = (await sent(`${long}\n{"unit_id":1}\n${long}`, 65_536)).toString();
  expect(whole === `${long}\n{"unit_id":1}\n${long}`).toBe(true);
  const broken = Buffer.from([0x7b, 0xff, 0x0a]);
  expect(await sent(broken)).toEqual(broken);
});
