import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createLogger } from './logger.ts';
import { redactLine } from './redact.ts';
import { redactUrls } from './redact-urls.ts';

const secret = 'aBjR684eranIt5Ch13YS';

describe('everything from // to the last @ of a URL is removed, however malformed', () => {
  test.each([
    [`redis://:${secret}/7aoU+F=@cache:6380 is bad`, 'redis://[redacted]@cache:6380 is bad'],
    [`redis://u:p@${secret}@cache`, 'redis://[redacted]@cache'],
    [`redis://u:p#${secret}@cache`, 'redis://[redacted]@cache'],
    [`redis://u:p?${secret}@cache/0`, 'redis://[redacted]@cache/0'],
    [`redis://u:12/${secret}@cache`, 'redis://[redacted]@cache'],
    [`redis://u:p\\"${secret}@cache`, 'redis://[redacted]@cache'],
    [`redis://u:p'${secret}@cache`, 'redis://[redacted]@cache'],
    [`redis://u:p\\\\${secret}@cache`, 'redis://[redacted]@cache'],
    [`redis://u:%20${secret}%2F@cache`, 'redis://[redacted]@cache'],
    [`nats://${secret}@a:4222,nats://x:${secret}@b`, 'nats://[redacted]@b'],
    [`https://${secret}:x-oauth@git.example.test/a`, 'https://[redacted]@git.example.test/a'],
    [`https://user:pa/${secret}@proxy/`, 'https://[redacted]@proxy/'],
    [`https://tok/${secret}@proxy/`, 'https://[redacted]@proxy/'],
    [`https://a/?next=redis://:x/${secret}@cache`, 'https://[redacted]@cache'],
    [`//u:${secret}@host`, '//[redacted]@host'],
    [`redis://:x ${secret}@h`, 'redis://[redacted]@h'],
    [`redis://:x ${secret} y@h is bad`, 'redis://[redacted]@h is bad'],
    [`redis://u:x\\t${secret}@h`, 'redis://[redacted]@h'],
    [`redis://u:12 ${secret}@h`, 'redis://[redacted]@h'],
    [`redis://tok!en ${secret}@h`, 'redis://[redacted]@h'],
    [`redis://:a\\",${secret}@h`, 'redis://[redacted]@h'],
    [`redis://:a\\" : \\"${secret}@h`, 'redis://[redacted]@h'],
    [`redis://:a', '${secret}@h`, 'redis://[redacted]@h'],
    [`redis://:a@b ${secret}@h`, 'redis://[redacted]@h'],
    [`redis://:x@y z ${secret}#@h`, 'redis://[redacted]@h'],
    [`https://u:x ${secret}@h/a`, 'https://[redacted]@h/a'],
    [`https://u?x=${secret}@h`, 'https://[redacted]@h'],
    [`https://u#x=${secret}@h`, 'https://[redacted]@h'],
    [`profile://u:${secret}@h`, 'profile://[redacted]@h'],
    [`x-file:///u:${secret}@h`, 'x-file://[redacted]@h'],
    [`file://u:${secret}@h`, 'file://[redacted]@h'],
    [`file:///a@1/b redis://:${secret}@h`, 'file:///a@1/b redis://[redacted]@h'],
  ])('%s', (text, expected) => {
    expect(redactUrls(text)).toBe(expected);
  });
});

describe('what follows or only looks alike is left alone', () => {
  test.each([
    'http://host:80/a?b=c@d',
    'https://[::1]:80/@scope/name?x=1',
    'redis://cache:6379 failed, write to ops@example.com',
    'cannot reach redis://cache:6379, write to ops@example.com',
    'at https://cache/a (see ioredis@6.0.0)',
    '{"url":"redis://cache","mail":"ops@example.com"}',
    String.raw`{"body":"{\"url\":\"https://cache\",\"mail\":\"ops@example.com\"}"}`,
    String.raw`{"stack":"at redis://cache\n    at ops@example.com"}`,
    "{ input: 'redis://cache', mail: 'ops@example.com' }",
    'at file:///app/node_modules/.pnpm/ioredis@6.0.0/node_modules/ioredis/built/Redis.js:10:2',
    '// ops@example.com',
    'no URL, only ops@example.com',
  ])('%s', (text) => {
    expect(redactUrls(text)).toBe(text);
  });
});

describe('an e-mail address later in the message stays', () => {
  test.each([
    [`redis://u:${secret}@h failed, write to ops@example.com`],
    [`redis://:x ${secret}@h failed, write to ops@example.com`],
    [`redis://:x" ${secret}@h failed, write to <ops@example.com>.`],
    [`redis://u:p#${secret}@h failed, write to ops@example.com`],
  ])('%s', (text) => {
    const shown = redactLine(JSON.stringify({ msg: text, mail: 'ops@example.com' }));
    expect(shown).toMatch(/redis:\/\/\[redacted\]@h failed, write to <?ops@example\.com.*ops@example\.com/);
  });
});

test('no password shows and every line stays JSON, whatever stands in it and around it', () => {
  const scheme = fc.constantFrom('redis', 'rediss', 'postgres', 'nats', 'tls', 'amqp', 'profile', 'x+y.z-1');
  const marks = Array.from('aZ09/#?%:;=+&$!*()[]{}|^~.,_-"\'\\<>`ü€');
  const noise = fc.string({ unit: fc.constantFrom('@', ...marks) });
  // Without an `@` in front of white space, which would end a whole URL, as a sentence does.
  const spaced = fc.string({ unit: fc.constantFrom(' ', '\t', ...marks) }).map((text) => `!${text}`);
  const user = fc.constantFrom('', 'u', 'u:', ':');
  const around = fc.constantFrom(' ', '"', ' "x": ', '\n', '\t');
  fc.assert(
    fc.property(scheme, user, fc.oneof(noise, spaced), noise, around, (name, before, one, two, edge) => {
      // Ends with the password's own characters, so that no closing quote and delimiter stand in it.
      const password = `${one}${secret}${two}`
        .replace(one.startsWith('!') ? /^$/ : /(["'])(?=[\s"'\\,:;)\]}])/g, '$1x')
        .replace(/["'\\]$/, 'x');
      const url = `${name}://${before}${password}@host`;
      const line = JSON.stringify({
        msg: `${edge}${url}${edge}me`,
        nested: JSON.stringify({ url }),
        after: 'z@y',
      });
      const shown = redactLine(line);
      expect(shown).not.toContain(secret);
      expect(JSON.parse(shown)).toMatchObject({ after: 'z@y' });
    }),
    { numRuns: 5_000 },
  );
});

test('a line that is longer than the stack of a regular expression is redacted or replaced, never thrown at', () => {
  for (const piece of ['a', '\\"', "'x", 'a\\\\', '\\n']) {
    for (const before of ['redis://:', '', '","password":"', '","input":"ERR_INVALID_URL']) {
      const line = `{"level":30,"msg":"${before}${piece.repeat(10_000_000 / piece.length)}${secret}@h"}`;
      const shown = redactLine(line);
      if (before !== '') expect(shown).not.toContain(secret);
      expect(() => JSON.parse(shown) as unknown).not.toThrow();
    }
  }
});

test("the error of Node's URL parser shows nothing of what it was given", () => {
  for (const text of [`redis://:${secret}/x@:y`, `:${secret}`, `http://${secret} x`]) {
    const lines: string[] = [];
    const log = createLogger({
      service: 'x',
      level: 'info',
      destination: { write: (line) => void lines.push(line) },
    });
    for (const parse of [
      () => new URL(text),
      () => new URL(text, 'nonsense'),
      () => new URL('//[', `x://${secret}`),
    ]) {
      try {
        parse();
      } catch (error) {
        log.error({ err: error }, 'failed');
        log.error(error);
        log.error({ nested: { problem: error } }, 'failed');
        log.error(new Error('outer', { cause: error }));
      }
    }
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.join('')).not.toContain(secret);
    for (const line of lines) expect(() => JSON.parse(line) as unknown).not.toThrow();
  }
});

test.each([
  ['//'],
  ['//@'],
  ['http://a/?b=@'],
  ['http://a/@b'],
  ['https://a?b=c@d&'],
  ['x@//'],
  ['file://'],
  ["//'"],
  ['//\\"'],
  ['redis://:'],
  ['redis://: '],
  ['redis://:x y@'],
  ['redis://u@h a@b.c '],
  ['redis://:\\\\", '],
  ["redis://a 'b@"],
  ['a'],
])('a long line of %j takes linear time', (piece) => {
  // CPU time, so that other load on the machine does not count.
  const cpuMs = (length: number): number => {
    const line = `{"msg":"${piece.repeat(length / piece.length)}@"}`;
    const from = process.cpuUsage();
    redactLine(line);
    return process.cpuUsage(from).user / 1_000;
  };
  cpuMs(100_000);
  expect(cpuMs(2_000_000)).toBeLessThan(1_500);
});
