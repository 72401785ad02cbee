import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it } from '@jest/globals';
import { callerHeader, verifyCaller } from '@bv/http';
import {
  callService,
  eventually,
  registerStub,
  startReceiver,
  testCaller,
  testCallerSecret,
  type Receiver,
} from '@bv/testkit';

let receiver: Receiver | undefined;
afterEach(async () => receiver?.close());

describe('callService', () => {
  it('sends a caller that services accept', async () => {
    receiver = await startReceiver();
    registerStub(receiver.url);
    const caller = testCaller({ orgId: randomUUID(), operation: 'listBrands' });
    const response = await callService(receiver.url, { path: '/v1/orgs', caller });
    expect(response.status).toBe(204);
    const header = receiver.requests[0]?.headers[callerHeader];
    expect(verifyCaller(String(header), [testCallerSecret])).toEqual(caller);
  });

  it('sends objects as JSON, text as it is, and no caller if it is null', async () => {
    receiver = await startReceiver();
    await callService(receiver.url, { method: 'POST', path: '/a', body: { name: 'x' }, caller: null });
    await callService(receiver.url, { method: 'POST', path: '/b', body: '{not json' });
    expect(receiver.requests.map((request) => request.body)).toEqual(['{"name":"x"}', '{not json']);
    expect(receiver.requests[0]?.headers[callerHeader]).toBeUndefined();
  });
});

describe('startReceiver', () => {
  it('waits for a request that has not arrived yet', async () => {
    receiver = await startReceiver(() => 500);
    const awaited = receiver.waitFor((request) => request.path === '/second');
    expect((await fetch(`${receiver.url}/first`)).status).toBe(500);
    await fetch(`${receiver.url}/second`);
    expect((await awaited).path).toBe('/second');
    await expect(receiver.waitFor((request) => request.path === '/third', 50)).rejects.toThrow('0.05 s');
  });

  it('can leave a request without a response', async () => {
    receiver = await startReceiver(() => undefined);
    await expect(fetch(receiver.url, { signal: AbortSignal.timeout(100) })).rejects.toThrow('timeout');
  });
});

describe('eventually', () => {
  it('returns the first success and fails with the last error', async () => {
    let calls = 0;
    const third = async (): Promise<number> => {
      calls += 1;
      if (calls < 3) throw new Error(`call ${calls}`);
      return calls;
    };
    expect(await eventually(third, { intervalMs: 1 })).toBe(3);
    const never = (): never => {
      throw new Error('not yet');
    };
    await expect(eventually(never, { timeoutMs: 20, intervalMs: 1 })).rejects.toThrow('not yet');
  });
});
