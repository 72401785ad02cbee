import { callerHeader, signCaller } from '@bv/http';
import { eventually } from '@bv/testkit';
import { expect, test } from '@jest/globals';
import { createCaller } from './start-app.ts';
import { getError, id, thing, things, useThingsApp } from './things-app.ts';

const app = useThingsApp();
const path = `/v1/things/${id}`;

test('large responses that nobody reads fill 64 MiB; then a large read is 503, a small one is not', async () => {
  const large = { ...thing, name: 'x'.repeat(20_000_000) };
  things.onGet = async () => ({ data: large });
  const leave = new AbortController();
  const headers = { [callerHeader]: signCaller(createCaller(), 'a-secret-of-the-tests') };
  for (let unread = 0; unread < 3; unread += 1) {
    expect((await fetch(app.url + path, { headers, signal: leave.signal })).status).toBe(200);
  }
  const { status, json } = await app.call(path);
  expect([status, getError(json).code]).toEqual([503, 'api_unavailable']);
  expect((await app.call('/v1/things')).status).toBe(200);
  leave.abort();
  await eventually(async () => expect((await app.call(path)).status).toBe(200));
});
