/**
 * Runs the packed SDK in a separate project against the whole product, with each supported runtime: the Node of this
 * machine, and the oldest Node, Deno and Bun from their npm packages.
 */
import { execFile, execFileSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { privateStackOptions, startStack, steadyEnvironment, type Stack } from '@bv/local-stack';
import { createCustomer } from '../fuzz/prepare.ts';
import { packSdk } from '../../scripts/pack-sdk.ts';
import { getOldestNode, installNpm, oldestNodePackage } from './install-npm.ts';

const packages = ['deno@2.9.6', 'bun@1.4.5', oldestNodePackage];
const run = promisify(execFile);
const scratch = await mkdtemp(join(tmpdir(), 'bv-runtimes-'));
await chmod(scratch, 0o755);

async function createProject(): Promise<string> {
  const project = join(scratch, 'project');
  await mkdir(project);
  await writeFile(join(project, 'package.json'), '{"type":"module"}');
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--loglevel', 'error', packSdk(scratch)], {
    cwd: project,
  });
  await writeFile(join(project, 'use.js'), program);
  return project;
}

const program = `
import { BrandVisibilityClient, isApiError, verifyWebhook } from '@bv/sdk';
const env = globalThis.process.env;
const client = new BrandVisibilityClient({ baseUrl: env.BV_BASE_URL, apiKey: env.BV_API_KEY });
const [org] = await client.listOrgs().all();
const body = { name: env.BV_NAME, domain: env.BV_NAME + '-example.com' };
const { id: brandId } = await client.createProperty({ orgId: org.id }, body);
const at = { orgId: org.id, brandId };
for (const text of ['One?', 'Two?', 'Three?']) await client.createPrompt(at, { text, countries: ['US'] });
const texts = [];
for await (const { text } of client.listPrompts({ orgId: org.id, brand_id: brandId, limit: 2 })) texts.push(text);
const again = await client.createProperty({ orgId: org.id }, body).catch((error) => error);
const key = new TextEncoder().encode('0123456789abcdef0123456789abcdef');
const event = JSON.stringify({ id: 'e', type: 'endpoint.ping', data: {} });
const seconds = String(Math.floor(Date.now() / 1000));
const algorithm = { name: 'HMAC', hash: 'SHA-256' };
const signer = await crypto.subtle.importKey('raw', key, algorithm, false, ['sign']);
const signed = await crypto.subtle.sign('HMAC', signer, new TextEncoder().encode('m.' + seconds + '.' + event));
const base64 = (bytes) => btoa(String.fromCharCode(...new Uint8Array(bytes)));
const headers = { 'webhook-id': 'm', 'webhook-timestamp': seconds, 'webhook-signature': 'v1,' + base64(signed) };
const verified = await verifyWebhook({ headers, body: event }, 'whsec_' + base64(key));
console.log(texts.join(' '), isApiError(again, 'brand_exists'), verified.type);
`;

const expected = 'One? Two? Three? true endpoint.ping';

async function tryAll(stack: Stack): Promise<boolean> {
  // In sequence, because an installation blocks this process and requests would miss their deadline.
  const { key } = await createCustomer(stack);
  const [bin, project] = [installNpm(packages), await createProject()];
  const runtimes: [name: string, program: string, words: string[]][] = [
    ['node', 'node', []],
    ['node20', getOldestNode(bin), []],
    ['deno', join(bin, 'deno'), ['run', '--quiet', '--allow-net', '--allow-env']],
    ['bun', join(bin, 'bun'), ['run']],
  ];
  let good = true;
  for (const [name, command, words] of runtimes) {
    const env = {
      PATH: process.env['PATH'],
      HOME: scratch,
      BV_BASE_URL: stack.baseUrl,
      BV_API_KEY: key,
      BV_NAME: name,
    };
    const { stdout: version } = await run(command, ['--version'], { env });
    const outcome = await run(command, [...words, 'use.js'], { cwd: project, env, timeout: 60_000 }).catch(
      (error: unknown) => ({ stdout: String(error) }),
    );
    const fine = outcome.stdout.trim() === expected;
    good &&= fine;
    console.log(`${name} ${version.split('\n')[0] ?? ''}: ${fine ? 'works' : outcome.stdout}`);
  }
  return good;
}

const options = privateStackOptions(join(scratch, 'data'), steadyEnvironment);
const stack = await startStack(options, (line) => console.log(line));
try {
  process.exitCode = (await tryAll(stack)) ? 0 : 1;
} finally {
  await stack.stop();
  await rm(scratch, { recursive: true, force: true });
}
process.exit();
