import { describe, expect, test } from '@jest/globals';
import type { z } from 'zod';
import { baseUrl, httpUrl, natsUrls, postgresUrl, redisUrl } from './url-fields.ts';

const fields = {
  redis: redisUrl('Redis'),
  postgres: postgresUrl('Postgres'),
  nats: natsUrls('NATS'),
  http: httpUrl('HTTP'),
  base: baseUrl('base address'),
} satisfies Record<string, z.ZodType>;
type Kind = keyof typeof fields;

const host = 'store.example.test';

describe('a URL that is legal is accepted as it is', () => {
  test.each<[Kind, string]>([
    ['redis', 'redis://localhost'],
    ['redis', 'redis://127.0.0.1:6379/3'],
    ['redis', 'REDISS://cache:6380/?family=6'],
    ['redis', 'redis://[::1]:6379'],
    ['redis', `rediss://:abc=+,;!$&'()*~-._:x@${host}:6380`],
    ['redis', `redis://user:${encodeURIComponent('p/@#?%[]:ü "x')}@${host}`],
    ['redis', `redis://:pässwort@${host}`],
    ['redis', '/var/run/redis.sock?db=2'],
    ['postgres', `postgres://bv_gateway:s%2Fcret@${host}:5432/bv`],
    ['postgres', `postgresql://${host}/bv?sslmode=verify-full&sslrootcert=/etc/ca.pem`],
    ['postgres', `postgres://${host}/bv?user=me@tenant&options=-c%20search_path%3Dx`],
    ['postgres', 'postgres:///bv?host=/var/run/postgresql'],
    ['postgres', 'postgres://user:pw@%2Fvar%2Frun%2Fpostgresql/bv'],
    ['postgres', 'socket:/var/run/postgresql?db=bv'],
    ['postgres', '/var/run/postgresql bv'],
    ['postgres', `postgres://${host}/bv?sslmode=no-verify&application_name=x`],
    ['nats', 'nats://localhost'],
    ['nats', 'nats://localhost:4222/'],
    ['nats', `tls://t0ken@a:4222, nats://b:4223`],
    ['http', `https://user:p%40ss@${host}/v1/traces?key=a@b#x`],
    ['base', `https://${host}/@team/v1/`],
  ])('%s: %s', (kind, url) => {
    expect(fields[kind].parse(url)).toBe(url);
    // A mounted secret ends in a newline.
    expect(fields[kind].parse(`${url}\n`)).toBe(url);
  });
});

describe('credentials that are not percent-encoded are rejected', () => {
  const schemes: Record<Kind, string> = {
    redis: 'redis',
    postgres: 'postgres',
    nats: 'nats',
    http: 'https',
    base: 'http',
  };
  const kinds = Object.keys(schemes) as Kind[];
  const passwords = [
    'Zq/sEcret',
    'Zq@sEcret',
    'Zq#sEcret',
    'Zq?sEcret',
    'Zq%sEcret',
    'Zq[sEcret',
    'Zq sEcret',
  ];
  const more = ['Zq\\sEcret', 'Zq%FFsEcret', 'Zq\nsEcret', 'Zq\tsEcret', 'a/b@c#d?esEcret'];
  test.each(kinds.flatMap((kind) => [...passwords, ...more].map((password) => [kind, password] as const)))(
    '%s: %j',
    (kind, password) => {
      // Without a password, the rest of an HTTP URL may contain an `@`.
      const isHttp = kind === 'http' || kind === 'base';
      for (const user of isHttp ? ['user:'] : ['user:', ':', '']) {
        const { success, error } = fields[kind].safeParse(`${schemes[kind]}://${user}${password}@${host}/0`);
        expect(success).toBe(false);
        expect(error?.message).not.toMatch(/sEcret|Zq/);
      }
    },
  );
});

describe('what is not one URL of the kind is rejected', () => {
  test.each<[Kind, string, string]>([
    ...(['redis', 'postgres', 'nats', 'http', 'base'] as const).flatMap((kind): [Kind, string, string][] => [
      [kind, '', 'is empty'],
      [kind, ' ', 'is empty'],
      [kind, 'localhost:1234', 'begins with'],
      [kind, '//localhost', 'begins with'],
      [kind, 'ftp://localhost', 'begins with'],
      [kind, 'mailto:me@localhost', 'begins with'],
    ]),
    ['redis', 'redis-sentinel://a:26379/mymaster', 'begins with'],
    ['redis', 'redis:localhost', 'begins with'],
    ['redis', 'redis://', 'host'],
    ['redis', 'redis://:6379', 'host'],
    ['redis', 'redis://a:1,redis://b:2', 'one URL'],
    ['redis', 'redis://a,b', 'not a list'],
    ['redis', 'redis://a:99999', 'port'],
    ['redis', 'redis://a/mydb', 'number of a database'],
    [
      'redis',
      'redis://h?enableOfflineQueue=1&maxRetriesPerRequest=100',
      'query parameter other than family and db',
    ],
    ['redis', 'redis://h?family=4&keyPrefix=x', 'query parameter other than'],
    ['redis', 'redis://h?__proto__=x', 'query parameter other than'],
    ['redis', 'redis://h?family=five', 'value of family'],
    ['redis', '/var/run/redis.sock?enableOfflineQueue=1', 'query parameter other than'],
    ['redis', '/Zq/sEcret@host', 'path of a socket'],
    ['redis', '/Zq#sEcret', 'path of a socket'],
    ['postgres', '/Zq/sEcret@host', 'path of a socket'],
    ['postgres', 'socket:/Zq/sEcret@host?db=bv', 'path of a socket'],
    ['postgres', `postgres://${host}/bv?sslmode=bogus`, 'value of sslmode'],
    ['postgres', `postgres://${host}/bv?sslmode=`, 'value of sslmode'],
    ['postgres', 'socket:/run?db=bv&sslmode=bogus', 'value of sslmode'],
    ['nats', 'nats://h/path', 'nothing after host and port'],
    ['nats', 'nats://h?tls=1', 'nothing after host and port'],
    ['nats', 'nats://a:4222,nats://h/path', 'nothing after host and port'],
    ['postgres', 'postgres://', 'has no host'],
    ['postgres', 'postgres:///bv', 'has no host'],
    ['postgres', 'postgres://a:1,b:2/bv', 'one URL'],
    ['postgres', 'postgres://a,b/bv', 'not a list'],
    ['postgres', 'postgres://a/b%zz', 'malformed percent-encoding'],
    ['nats', 'nats://a,', 'is empty'],
    ['nats', 'nats://a,b:4222', 'begins with'],
    ['nats', 'ws://a', 'begins with'],
    ['http', 'http:/localhost', 'begins with'],
    ['http', 'https://', 'host'],
    ['http', 'https://a b', 'valid host'],
    ['base', 'https://a/v1?key=x', 'without query'],
    ['base', 'https://a/v1#x', 'without query'],
  ])('%s: %j (%s)', (kind, url, message) => {
    const { error } = fields[kind].safeParse(url);
    expect(error?.issues[0]?.message).toContain(message);
  });
});

test.each(['1/2sEcret', '1?2sEcret', '1#2sEcret'])(
  'a store password that makes a URL with another host is rejected: %s',
  (password) => {
    for (const kind of ['redis', 'postgres', 'nats'] as const) {
      expect(fields[kind].safeParse(`${kind}://user:${password}@${host}/0`).success).toBe(false);
    }
  },
);
