import { once } from 'node:events';
import { Agent, request } from 'node:http';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { listen } from '@bv/http';
import type { Listening } from '@bv/http';
import { eventually } from '@bv/testkit';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';

/** `/now` responds immediately, `/held` when released, `/begun` sends its head first and its end when released. */
let held: ServerResponse[];
let listening: Listening;
let agent: Agent;

const app: RequestListener = (incoming, response) => {
  if (incoming.url === '/now') return void response.end('now');
  if (incoming.url === '/begun') response.writeHead(200, { 'content-length': 4 }).flushHeaders();
  held.push(response);
};

beforeEach(() => {
  held = [];
  agent = new Agent({ keepAlive: true });
});
afterEach(async () => {
  agent.destroy();
  for (const response of held) response.destroy();
  await listening.close();
});

async function get(path: string): Promise<IncomingMessage> {
  const sent = request({ port: listening.port, path, agent }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  response.resume();
  return response;
}

async function ended(
  response: Promise<IncomingMessage>,
): Promise<{ status: number | undefined; connection: string | undefined }> {
  const { statusCode, headers } = await response;
  return { status: statusCode, connection: headers.connection };
}

const release = () => held.forEach((response) => response.end('held'));

describe('close', () => {
  test('completes requests in flight, refuses new ones, and ends', async () => {
    listening = await listen(app, { port: 0 });
    const inFlight = get('/held');
    await eventually(() => expect(held).toHaveLength(1));
    const closed = listening.close();
    await expect(once(connect(listening.port, '127.0.0.1'), 'connect')).rejects.toMatchObject({
      code: 'ECONNREFUSED',
    });
    release();
    expect(await ended(inFlight)).toEqual({ status: 200, connection: 'close' });
    await closed;
  });

  test('does not wait for idle connections', async () => {
    listening = await listen(app, { port: 0 });
    await once(await get('/now'), 'end');
    const startedAt = performance.now();
    await listening.close();
    expect(performance.now() - startedAt).toBeLessThan(4_000);
  });

  test('does not wait for a keep-alive connection whose response had started before', async () => {
    listening = await listen(app, { port: 0 });
    const begun = await get('/begun');
    expect(begun.headers.connection).toBe('keep-alive');
    const closed = listening.close();
    release();
    const startedAt = performance.now();
    await closed;
    expect(performance.now() - startedAt).toBeLessThan(4_000);
  });

  test('aborts requests that take longer than its deadline', async () => {
    listening = await listen(app, { port: 0, closeTimeoutMs: 200 });
    const inFlight = get('/held').catch((error: unknown) => error);
    await eventually(() => expect(held).toHaveLength(1));
    await listening.close();
    expect(await inFlight).toMatchObject({ code: 'ECONNRESET' });
  });

  test('may be called again', async () => {
    listening = await listen(app, { port: 0 });
    await Promise.all([listening.close(), listening.close()]);
    await expect(listening.close()).resolves.toBeUndefined();
  });
});

describe('draining', () => {
  test('continues to serve, and every response has Connection: close', async () => {
    const draining = new AbortController();
    listening = await listen(app, { port: 0, signal: draining.signal });
    expect(await ended(get('/now'))).toEqual({ status: 200, connection: 'keep-alive' });
    const inFlight = get('/held');
    await eventually(() => expect(held).toHaveLength(1));
    draining.abort();
    release();
    expect(await ended(inFlight)).toEqual({ status: 200, connection: 'close' });
    expect(await ended(get('/now'))).toEqual({ status: 200, connection: 'close' });
  });

  test('a restart under load loses no request', async () => {
    const draining = new AbortController();
    listening = await listen(app, { port: 0, signal: draining.signal });
    const second = await listen(app, { port: 0 });
    const first = listening.port;
    let stop = false;
    let onFirst = 0;
    const failures: unknown[] = [];
    let answers = 0;
    const client = async () => {
      let port = first;
      onFirst += 1;
      while (!stop) {
        const sent = request({ port, path: '/now', agent }).end();
        const [response] = (await once(sent, 'response')) as [IncomingMessage];
        response.resume();
        await once(response, 'end');
        answers += 1;
        if (port !== first || response.headers.connection !== 'close') continue;
        port = second.port;
        onFirst -= 1;
      }
    };
    const moreAnswers = (more: number) => {
      const enough = answers + more;
      return eventually(() => expect(answers).toBeGreaterThan(enough));
    };
    const clients = Array.from({ length: 16 }, () =>
      client().catch((error: unknown) => failures.push(error)),
    );
    await moreAnswers(100);
    draining.abort();
    // The minimum duration of a drain: requests that arrive while idle connections are closed are lost.
    await eventually(() => expect(onFirst).toBe(0));
    await listening.close();
    await moreAnswers(100);
    stop = true;
    await Promise.all(clients);
    await second.close();
    expect(failures).toEqual([]);
  });
});

test('a port in use is an error', async () => {
  listening = await listen(app, { port: 0 });
  await expect(listen(app, { port: listening.port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
});

test('a long request may take any time to arrive; only its head has a deadline', async () => {
  listening = await listen(app, { port: 0 });
  expect(listening.server.requestTimeout).toBe(0);
  expect(listening.server.headersTimeout).toBeGreaterThan(0);
});
