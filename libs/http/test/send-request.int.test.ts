import { afterEach, describe, expect, test } from '@jest/globals';
import { Agent } from 'node:http';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { HeadersTooLargeError, sendRequest } from '../src/index.ts';

const final = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';
const servers = new Set<Server>();
const sockets = new Set<Socket>();
const agents = new Set<Agent>();
afterEach(() => {
  for (const server of servers) server.close();
  servers.clear();
  for (const socket of sockets) socket.destroy();
  sockets.clear();
  for (const agent of agents) agent.destroy();
  agents.clear();
});

function openAgent(): Agent {
  const agent = new Agent({ keepAlive: true });
  agents.add(agent);
  return agent;
}

/** Sends a POST to a server that writes these pieces, each in its own segment, and closes after the last. */
async function post(
  pieces: readonly string[],
  { isLenient = false, maxBodyBytes = 1_000 } = {},
): Promise<string> {
  const write = (socket: Socket, [piece, ...more]: readonly string[]): void => {
    if (piece === undefined || socket.destroyed) socket.end();
    else socket.write(piece, () => setTimeout(write, 5, socket, more));
  };
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.setNoDelay().on('error', () => undefined);
    socket.once('data', () => write(socket, pieces));
  });
  servers.add(server);
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const response = await sendRequest({
    method: 'POST',
    url: new URL(`http://127.0.0.1:${port}/`),
    headers: {},
    body: '{}',
    signal: AbortSignal.timeout(20_000),
    maxBodyBytes,
    agent: openAgent(),
    isLenient,
  });
  return `${response.statusCode} ${await text(response)}`;
}

describe('the final response counts after interim ones', () => {
  const interim = (status: string, headers = ''): string => `HTTP/1.1 ${status}\r\n${headers}\r\n`;
  test.each([
    ['100', [interim('100 Continue') + final]],
    ['102', [interim('102 Processing') + final]],
    ['103', [interim('103 Early Hints', 'link: </a>; rel=preload\r\n') + final]],
    ['an unknown one', [interim('199 Wait') + final]],
    ['several', [interim('103 Early Hints') + interim('100 Continue') + interim('102 Processing') + final]],
    ['each in its own segment', [interim('100 Continue'), interim('102 Processing'), final]],
    ['split anywhere', Array.from(interim('100 Continue') + final)],
    ['a hundred', [interim('100 Continue').repeat(100) + final]],
    ['with a length', [interim('100 Continue', 'content-length: 0\r\n') + final]],
    ['with `Connection: close`', [interim('100 Continue', 'connection: close\r\n') + final]],
    ['of HTTP/1.0', ['HTTP/1.0 100 Continue\r\n\r\nHTTP/1.0 200 OK\r\n\r\nok']],
  ])('%s', async (_name, pieces) => expect(await post(pieces, { isLenient: true })).toBe('200 ok'));

  test('an unrequested 101 is the final status', async () => {
    const upgrade = interim('101 Switching Protocols', 'connection: upgrade\r\nupgrade: x\r\n');
    expect(await post([upgrade + final])).toBe('101 ');
  });
  test('interim ones without end or final one are an error', async () => {
    await expect(post([interim('100 Continue')])).rejects.toMatchObject({ code: 'ECONNRESET' });
    const endless = Array.from({ length: 20 }, () => interim('100 Continue', `x: ${'y'.repeat(2_000)}\r\n`));
    await expect(post(endless)).rejects.toBeInstanceOf(HeadersTooLargeError);
  });
});

describe('a response that bends the rules without ambiguity is accepted', () => {
  test.each([
    ['folded headers', 'HTTP/1.1 200 OK\r\nx-a: b\r\n c\r\ncontent-length: 2\r\n\r\nok'],
    ['line feeds alone', 'HTTP/1.1 200 OK\ncontent-length: 2\n\nok'],
    [
      'chunks and a length',
      'HTTP/1.1 200 OK\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n',
    ],
    [
      'spaces after a chunk size',
      'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2  \r\nok\r\n0\r\n\r\n',
    ],
    ['an offered upgrade', `HTTP/1.1 200 OK\r\nupgrade: h2\r\nconnection: upgrade\r\n${final.slice(17)}`],
    ['bytes after the end', `${final}${'x'.repeat(31)}`],
  ])('%s', async (_name, response) => expect(await post([response], { isLenient: true })).toBe('200 ok'));

  test.each([
    ['line feeds alone', 'HTTP/1.1 200 OK\ncontent-length: 2\n\nok'],
    [
      'chunks and a length',
      'HTTP/1.1 200 OK\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n',
    ],
  ])('but not by the strict parser: %s', async (_name, response) => {
    await expect(post([response])).rejects.toMatchObject({ code: expect.stringMatching(/^HPE_/) });
  });
});

describe('the bytes around a body are bounded', () => {
  const chunked = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n';
  const many = (piece: string): string[] =>
    Array.from({ length: 20 }, () => piece.repeat(32_768 / piece.length));
  test.each([
    ['empty lines before the status line', many('\r\n')],
    ['zeros in a chunk size', [chunked, ...many('0')]],
  ])('%s', async (_name, pieces) => {
    for (const isLenient of [true, false]) {
      await expect(post([...pieces, '2\r\nok\r\n0\r\n\r\n'], { isLenient })).rejects.toBeInstanceOf(
        HeadersTooLargeError,
      );
    }
  });

  test('a body of 1-byte chunks is complete', async () => {
    const body = 'x'.repeat(100_000);
    const pieces = [chunked, `1\r\nx\r\n`.repeat(body.length), '0\r\n\r\n'];
    expect(await post(pieces, { maxBodyBytes: body.length })).toBe(`200 ${body}`);
  });
});

test('headers above 16 KiB have their own error', async () => {
  await expect(post([`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(40_000)}`])).rejects.toBeInstanceOf(
    HeadersTooLargeError,
  );
});
