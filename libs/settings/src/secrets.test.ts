import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { readSettings } from './read-settings.ts';
import { redactSecrets } from './secrets.ts';
import { redisUrl } from './url-fields.ts';

const secret = (form: string) => z.string().default('').meta({ description: 'A secret.', form });
const schema = z.object({
  TOKEN: secret('secret'),
  KEYS: secret('keys'),
  URL: redisUrl('Redis.').default(''),
});

function redact(env: Record<string, string>, text: unknown): string {
  try {
    readSettings('test', schema, env);
  } catch {
    // Secrets of invalid settings are redacted too.
  }
  return redactSecrets(JSON.stringify(text));
}

test.each([
  ['a secret', { TOKEN: 'Zq7/x "y" token' }, 'Zq7/x "y" token'],
  ['the password of a login', { TOKEN: 'login:Zq7password' }, 'Zq7password'],
  ['each key of a ring', { KEYS: '1:Zq7first==, 2:Zq7second==' }, 'Zq7second=='],
  ['the password of a URL', { URL: 'redis://user:Zq7%2Fpass@host' }, 'Zq7%2Fpass'],
  ['the password that the URL decodes to', { URL: 'redis://user:Zq7%3Fp%22ss@host' }, 'Zq7?p"ss'],
  ['the password as the URL parser writes it', { URL: 'redis://:Zq7ä=pass@host' }, 'Zq7%C3%A4%3Dpass'],
  ['a token in place of the user', { URL: 'redis://Zq7token@host' }, 'Zq7token'],
  ['each password of a list of URLs', { URL: 'nats://u:Zq7one@a,nats://u:Zq7two@b' }, 'Zq7one and Zq7two'],
  ['the password of a query', { URL: 'postgres://host/bv?user=u&password=Zq7query&x=y' }, 'Zq7query'],
  ['the password of a malformed URL', { URL: 'redis://u:Zq7/pa ss@word@host' }, 'Zq7/pa ss@word'],
  ['a malformed URL without an end of the password', { URL: 'redis://:Zq7pass word' }, 'Zq7pass word'],
])('%s is redacted in a message and in a body of it', (_, env: Record<string, string>, shown) => {
  const line = redact(env, { msg: `failed: ${shown}.`, body: JSON.stringify({ shown }) });
  expect(line).not.toContain('Zq7');
  expect(JSON.parse(line)).toEqual({
    msg: expect.stringMatching(/^failed: .*\[redacted\].*\.$/),
    body: expect.any(String),
  });
});

test('a value of less than 6 characters and ordinary text stay', () => {
  const line = { level: 'info', msg: 'host user http://host/a?b=c@d' };
  expect(JSON.parse(redact({ TOKEN: 'info', URL: 'redis://user:host@host' }, line))).toEqual(line);
});

test('a secret of digits leaves the line JSON', () => {
  const line = redact({ TOKEN: '12345678' }, { atMs: 1_234_567_890, msg: 'with 12345678' });
  expect(JSON.parse(line)).toEqual({ atMs: 190, msg: 'with 1' });
});
