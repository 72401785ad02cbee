import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rotateWebhookSecret } from '@bv/contract';
import { type Receiver, startReceiver } from '@bv/testkit';
import { Webhook } from 'standardwebhooks';
import { activeEndpoint, publishScan } from './harness.ts';
import { startWebhooks, type Webhooks } from './start-webhooks.ts';

type Case = { secret: string; headers: Record<string, string>; body: string };

const guide = await readFile(new URL('../../../docs/guides/webhooks.md', import.meta.url), 'utf8');
const snippet = (language: string): string =>
  new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 's').exec(guide)?.[1] ?? '';

/** Programs around the function of the guide: cases from stdin, acceptance of each to stdout. */
const drivers = {
  ts: `
import { readFileSync } from 'node:fs';
const accepted = JSON.parse(readFileSync(0, 'utf8')).map(({ secret, headers, body }) => {
  try { return verify(secret, headers, body) !== undefined; } catch { return false; }
});
console.log(JSON.stringify(accepted));`,
  python: `
import sys

def accepts(case):
    try:
        return verify(case["secret"], case["headers"], case["body"].encode()) is not None
    except ValueError:
        return False

print(json.dumps([accepts(case) for case in json.load(sys.stdin)]))`,
  go: `package main

import (
	"encoding/json"
	"net/http"
	"os"
)

func main() {
	var cases []struct {
		Secret, Body string
		Headers      map[string]string
	}
	if err := json.NewDecoder(os.Stdin).Decode(&cases); err != nil {
		panic(err)
	}
	accepted := []bool{}
	for _, c := range cases {
		header := http.Header{}
		for name, value := range c.Headers {
			header.Set(name, value)
		}
		accepted = append(accepted, Verify(c.Secret, header, []byte(c.Body)) == nil)
	}
	json.NewEncoder(os.Stdout).Encode(accepted)
}`,
};

/** Unauthenticated input: the function must reject these like any bad timestamp, without another error. */
const oddTimestamps = [
  '9'.repeat(400),
  '9'.repeat(5_000),
  '9223372036854775807',
  '-1',
  '+1',
  '1e9',
  '1.5',
  'NaN',
  'Infinity',
  ' ',
  '٣٣٣',
  '²',
];

let webhooks: Webhooks;
let receiver: Receiver;
let directory: string;
let cases: Case[];
beforeAll(async () => {
  [webhooks, receiver] = await Promise.all([startWebhooks(), startReceiver()]);
  directory = await mkdtemp(join(tmpdir(), 'bv-guide-'));
  await writeFile(join(directory, 'verify.ts'), snippet('ts') + drivers.ts);
  await writeFile(join(directory, 'verify.py'), snippet('python') + drivers.python);
  await writeFile(join(directory, 'verify.go'), snippet('go').replace('package webhooks', 'package main'));
  await writeFile(join(directory, 'main.go'), drivers.go);
  cases = await deliveredCases();
});
afterAll(async () => {
  await Promise.all([webhooks.stop(), receiver.close(), rm(directory, { recursive: true })]);
});

/** A delivery signed with the old and the new secret, and variants that must be rejected. */
async function deliveredCases(): Promise<Case[]> {
  const endpoint = await activeEndpoint(webhooks, receiver.url);
  const input = { params: { endpointId: endpoint.id } };
  const rotated = await webhooks.as(endpoint.partnerId, rotateWebhookSecret, input);
  const scan = await publishScan(webhooks, { orgId: endpoint.orgId });
  const sent = await receiver.waitFor(({ body }) => body.includes(scan.job_id));
  const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
  const headers = Object.fromEntries(names.map((name) => [name, String(sent.headers[name])]));
  const delivered = { secret: rotated.data.secret, headers, body: sent.body };
  const old = new Date(Date.now() - 301_000);
  const late = {
    'webhook-id': 'late',
    'webhook-timestamp': String(Math.floor(old.getTime() / 1000)),
    'webhook-signature': new Webhook(delivered.secret).sign('late', old, delivered.body),
  };
  return [
    delivered,
    { ...delivered, secret: endpoint.secret },
    { ...delivered, body: `${delivered.body} ` },
    { ...delivered, secret: `whsec_${Buffer.alloc(32).toString('base64')}` },
    { ...delivered, headers: { ...headers, 'webhook-id': 'another' } },
    { ...delivered, headers: {} },
    { ...delivered, headers: late },
    ...oddTimestamps.map((timestamp) => ({
      ...delivered,
      headers: { ...headers, 'webhook-timestamp': timestamp },
    })),
  ];
}

async function runVerifier(command: string, args: string[]): Promise<unknown> {
  const child = spawn(command, args, { cwd: directory, stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  child.stdin.end(JSON.stringify(cases));
  let output = '';
  for await (const chunk of child.stdout) output += String(chunk);
  await ended;
  return JSON.parse(output);
}

const isInstalled = (command: string, arg: string): boolean => spawnSync(command, [arg]).status === 0;
const expected = [true, true, false, false, false, false, false, ...oddTimestamps.map(() => false)];

async function expectVerdicts(command: string, args: string[]): Promise<void> {
  expect(await runVerifier(command, args)).toEqual(expected);
}

describe('the verification of the guide accepts delivered requests and nothing else', () => {
  test('TypeScript', async () => {
    expect(await runVerifier(process.execPath, ['verify.ts'])).toEqual(expected);
  });
  (isInstalled('python3', '--version') ? test : test.skip)('Python', () =>
    expectVerdicts('python3', ['verify.py']),
  );
  (isInstalled('go', 'version') ? test : test.skip)(
    'Go',
    () => expectVerdicts('go', ['run', 'main.go', 'verify.go']),
    180_000,
  );
});
