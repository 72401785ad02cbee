import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';

const script = fileURLToPath(new URL('../scripts/audit-dependencies.ts', import.meta.url));

/** Runs the audit against a stub registry with this advisory for every version of express, a production dependency. */
async function audit(stub: { status: number; severity?: string }, ...options: string[]) {
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => {
      const { severity } = stub;
      const advisory = {
        id: 1,
        url: 'https://example.com/1',
        title: 'stub',
        severity,
        vulnerable_versions: '<99',
      };
      response.writeHead(stub.status, { 'content-type': 'application/json' });
      response.end(
        JSON.stringify(severity ? { express: [{ ...advisory, cwe: [], cvss: { score: 9 } }] } : {}),
      );
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const registry = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const child = spawn(process.execPath, [script, '--registry', registry, ...options]);
  let output = '';
  child.stdout.on('data', (piece: Buffer) => (output += piece.toString()));
  const [code] = await once(child, 'close');
  server.close();
  return { code, output };
}

test('a high vulnerability of a production dependency fails, a low one does not', async () => {
  const high = await audit({ status: 200, severity: 'high' });
  expect(high.output).toContain('high: express: stub https://example.com/1');
  expect(high.code).toBe(1);
  expect((await audit({ status: 200, severity: 'critical' })).code).toBe(1);
  expect(await audit({ status: 200, severity: 'low' })).toMatchObject({ code: 0 });
  expect((await audit({ status: 200 })).output).toMatch(/^\d\d+ dependencies, 0 high or critical/);
});

test('a registry without advisories is reported, and fails only with --strict', async () => {
  const unknown = await audit({ status: 405 });
  expect(unknown).toMatchObject({ code: 0, output: expect.stringMatching(/^NOT AUDITED.*405/) });
  expect(await audit({ status: 405 }, '--strict')).toMatchObject({ code: 1 });
});
