import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { readSettings } from '@bv/settings';
import { createLogger, writeLines } from './logger.ts';
import { redactLine } from './redact.ts';

const key = `bvk_live_${'Ab1'.repeat(14)}Z`;
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw+/=';

function logged(write: (log: ReturnType<typeof createLogger>) => void): {
  text: string;
  line: Record<string, unknown>;
} {
  const lines: string[] = [];
  const destination = { write: (text: string) => void lines.push(text) };
  write(createLogger({ service: 'catalog', level: 'debug', destination }));
  expect(lines).toHaveLength(1);
  const text = lines[0] ?? '';
  return { text, line: JSON.parse(text) as Record<string, unknown> };
}

describe('a line', () => {
  test('names service, version, level and time', () => {
    const { line } = logged((log) => log.info({ orgId: 'o' }, 'hello'));
    expect(line).toEqual({
      level: 'info',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      service: 'catalog',
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      orgId: 'o',
      msg: 'hello',
    });
  });

  test('shows an error with its stack under err and error', () => {
    const error = new Error('broken');
    expect(logged((log) => log.error({ err: error }, 'failed')).line['err']).toMatchObject({
      stack: error.stack,
    });
    expect(logged((log) => log.error({ error }, 'failed')).line['error']).toMatchObject({
      message: 'broken',
    });
  });
});

describe('lines written together', () => {
  const write = (level: string, lines: Parameters<typeof writeLines>[2]): string[] => {
    const writes: string[] = [];
    const destination = { write: (text: string) => void writes.push(text) };
    writeLines(
      createLogger({ service: 'gateway', level, destination }).child({ of: 'edge' }),
      'request',
      lines,
    );
    return writes;
  };
  const atMs = Date.UTC(2026, 10, 21, 12, 30, 15, 7);

  test('equal the lines of the logger, each with its own time, in one write', () => {
    const writes = write('info', [
      { level: 'info', atMs, fields: { status: 200, owner: { id: 'o' }, none: undefined } },
      { level: 'error', atMs: atMs + 1, fields: { status: 500 } },
    ]);
    expect(writes).toHaveLength(1);
    const [first, second, ...rest] = (writes[0] ?? '').split('\n');
    expect(rest).toEqual(['']);
    const { line } = logged((log) =>
      log.child({ of: 'edge' }).info({ status: 200, owner: { id: 'o' } }, 'request'),
    );
    const inPlace = { ...line, service: 'gateway', time: '2026-11-21T12:30:15.007Z' };
    expect(JSON.parse(first ?? '')).toEqual(inPlace);
    expect(Object.keys(JSON.parse(first ?? '') as object)).toEqual(Object.keys(line));
    expect(JSON.parse(second ?? '')).toMatchObject({
      level: 'error',
      time: '2026-11-21T12:30:15.008Z',
      status: 500,
    });
  });

  test('contain no secret, and nothing below the level', () => {
    const lines = [
      { level: 'info' as const, atMs, fields: { text: 'below' } },
      { level: 'error' as const, atMs, fields: { text: `${key} ${secret}` } },
    ];
    const [text = ''] = write('error', lines);
    expect(text).not.toContain('below');
    expect(text).not.toContain(key.slice(0, 13));
    expect(text).not.toContain(secret.slice(0, 10));
    expect(write('silent', lines)).toEqual([]);
  });
});

describe('secrets', () => {
  test.each([
    ['in the message', (log: ReturnType<typeof createLogger>) => log.info(`key ${key} and ${secret}`)],
    ['in a field of a child', (log) => log.child({ deep: { list: [key, { value: secret }] } }).info('x')],
    ['in an error and its cause', (log) => log.error(new Error(`no ${key}`, { cause: new Error(secret) }))],
    ['in headers', (log) => log.warn({ headers: { authorization: `Bearer ${key}` } }, 'refused')],
    [
      'in a raw header list',
      (log) => log.warn({ rawHeaders: ['Authorization', `Bearer ${key}`] }, 'refused'),
    ],
    ['in a JSON body kept as text', (log) => log.warn({ body: JSON.stringify({ secret, key }) }, 'refused')],
  ] satisfies [string, (log: ReturnType<typeof createLogger>) => void][])('%s are cut', (_where, write) => {
    const { text } = logged(write);
    expect(text).not.toContain(key.slice(0, 13));
    expect(text).not.toContain(secret.slice(0, 10));
  });

  test('a key keeps its first 12 characters, also a test key', () => {
    expect(logged((log) => log.info({ key }, 'x')).line['key']).toBe(key.slice(0, 12));
    const testKey = key.replace('live', 'test');
    expect(logged((log) => log.info({ key: testKey }, 'x')).line['key']).toBe(testKey.slice(0, 12));
  });

  test.each([
    'authorization',
    'Authorization',
    'cookie',
    'password',
    'apiKey',
    'x-goog-api-key',
    'operatorToken',
  ])('the field %s is taken out, whatever it holds', (name) => {
    const { line } = logged((log) => log.info({ request: { [name]: 'a "quoted" \\ thing' }, after: 1 }, 'x'));
    expect(line).toMatchObject({ request: { [name]: '[redacted]' }, after: 1 });
  });

  test('the password of a configured URL is removed from messages, stacks, causes and URL errors', () => {
    const password = 'Zq7/pa ss#word';
    const schema = z.object({ REDIS_URL: z.url() });
    const env = { REDIS_URL: `redis://user:${password}@cache` };
    expect(() => readSettings('test', schema, env)).toThrow('REDIS_URL');
    const cause = Object.assign(new Error(`cannot use ${env.REDIS_URL}`), {
      input: encodeURIComponent(password),
    });
    for (const error of [cause, new Error('outer', { cause: new Error('inner', { cause }) })]) {
      const { text } = logged((log) => log.error({ err: error, nested: { error } }, `failed: ${password}`));
      expect(text).not.toMatch(/Zq7|ss.{1,3}word/);
      expect(text).toContain('@cache');
    }
  });

  test("the error of Node's URL parser shows nothing of its input", () => {
    for (const parse of [() => new URL(`:${secret}`), () => new URL('//[', `x://${key}/`)]) {
      const { text } = logged((log) => {
        try {
          parse();
        } catch (error) {
          log.error({ nested: { error } }, 'failed');
        }
      });
      expect(text).toContain('ERR_INVALID_URL');
      expect(text).not.toMatch(/MfKQ|bvk_live/);
    }
  });

  test('a line that overflows the stack of a regular expression is omitted', () => {
    const shown = redactLine(`{"password":"${'a'.repeat(10_000_000)}"}`);
    expect(JSON.parse(shown)).toMatchObject({ level: 'error', reason: 'RangeError' });
  });

  test('passwords in connection strings and other bearer tokens are removed', () => {
    const { text } = logged((log) =>
      log.info('postgres://bv_catalog:hunter2@db:5432/bv with Bearer sk-abc.def_g'),
    );
    expect(text).toContain('postgres://[redacted]@db:5432/bv with Bearer [redacted]');
  });

  test('ordinary text is unchanged', () => {
    const line =
      '{"msg":"token bucket of 5, http://host:80/a?b=c@d","changeToken":"t","keyId":"k","tokens":["a"]}';
    expect(redactLine(line)).toBe(line);
  });

  test('a long hostile line costs no more than linear time', () => {
    const line = `{"msg":"${'"a'.repeat(50_000)}${'//'.repeat(50_000)}${'bearer '.repeat(20_000)}"}`;
    const start = performance.now();
    redactLine(line);
    expect(performance.now() - start).toBeLessThan(1_000);
  });
});
