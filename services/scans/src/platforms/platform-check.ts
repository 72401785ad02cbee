import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import type { Readable, Writable } from 'node:stream';
import { parseArgs } from 'node:util';
import { type PlatformId, platformIds } from '@bv/contract';
import { createGenAi, createMetrics } from '@bv/telemetry';
import { costUsd, type PlatformConfig } from './adapter.ts';
import { createAdapters, type PlatformConfigs } from './create-adapters.ts';
import type { PlatformAnswer } from './platform.ts';
import { createPlatformHttp, type PlatformHttpOptions } from './platform-http.ts';
import { listFields, readRecordedFields, redact, toApiName } from './recorded-fields.ts';

const usage = `platforms check [--yes] [--record FOLDER]
Asks each configured platform one prompt, as a scan does, and compares the fields of its responses with recorded ones.
--yes            do not ask for a confirmation; required without a terminal
--record FOLDER  write the responses there, without keys and ids of accounts
`;

const prompt = 'Which brands of running shoes are recommended for beginners?';
const country = 'US';
/** Of an answer to such a prompt. Platforms count differently. */
const usualUsage = { inputTokens: 10_000, outputTokens: 1_000, searches: 1, requests: 1 };

export type PlatformCheckConfig = { configs: PlatformConfigs; http: PlatformHttpOptions };
type Streams = { stdin: Readable & { isTTY?: boolean }; stdout: Writable; stderr: Writable };
type Asked = { platform: PlatformId; config: PlatformConfig & { apiKey: string } };

/** Runs `platforms check`. Returns the exit status: 1 if a platform failed, 2 for invalid usage or settings. */
export async function runPlatformsCommand(
  words: readonly string[],
  readConfig: () => PlatformCheckConfig,
  { stdin, stdout, stderr }: Streams = process,
): Promise<number> {
  const print = (line: string): boolean => stdout.write(`${line}\n`);
  const options = parseOptions(words);
  if (options === null) {
    stderr.write(usage);
    return words.includes('--help') ? 0 : 2;
  }
  let config: PlatformCheckConfig;
  try {
    config = readConfig();
    if (options.record !== undefined) await mkdir(options.record, { recursive: true });
  } catch (error) {
    stderr.write(`${toMessage(error)}\n`);
    return 2;
  }
  const asked = listConfigured(config.configs);
  print(`Prompt: ${prompt} (${country})`);
  for (const each of asked) print(`${each.platform}: ${describePrice(each.config)}`);
  if (asked.length === 0) {
    print('No platform is configured: set the key of one, <PLATFORM>_API_KEY.');
    return 0;
  }
  if (!options.yes && !(await confirms({ stdin, stdout }))) {
    stderr.write('Not confirmed: nothing was asked. --yes confirms on the command line.\n');
    return 2;
  }
  let status = 0;
  for (const each of asked) {
    try {
      for (const line of await checkPlatform(each, config, options.record)) print(line);
    } catch (error) {
      status = 1;
      print(`${each.platform}: failed: ${toMessage(error)}`);
    }
  }
  return status;
}

const toMessage = (error: unknown): string => (error instanceof Error ? error.message : 'unknown error');

const listConfigured = (configs: PlatformConfigs): Asked[] =>
  platformIds.flatMap((platform) => {
    const { apiKey, ...config } = configs[platform];
    return apiKey === null ? [] : [{ platform, config: { ...config, apiKey } }];
  });

function parseOptions(words: readonly string[]): { yes: boolean; record?: string | undefined } | null {
  try {
    const { values, positionals } = parseArgs({
      args: [...words],
      options: { yes: { type: 'boolean', default: false }, record: { type: 'string' } },
      allowPositionals: true,
    });
    return positionals.join(' ') === 'check' ? values : null;
  } catch {
    return null;
  }
}

function describePrice({ model, prices }: PlatformConfig): string {
  const cost = costUsd(prices, usualUsage);
  return `${model === '' ? '' : `${model}, `}${cost === null ? 'price unknown' : `about $${cost.toFixed(4)} by its prices`}`;
}

async function confirms({ stdin, stdout }: Pick<Streams, 'stdin' | 'stdout'>): Promise<boolean> {
  if (stdin.isTTY !== true) return false;
  const terminal = createInterface({ input: stdin, output: stdout });
  try {
    return /^y(es)?$/i.test((await terminal.question('Ask these platforms? [y/N] ')).trim());
  } finally {
    terminal.close();
  }
}

/** Asks by the adapter of scans, and returns what its answer and responses look like. */
async function checkPlatform(
  { platform, config }: Asked,
  { configs, http: options }: PlatformCheckConfig,
  folder: string | undefined,
): Promise<string[]> {
  const apiName = toApiName(platform, config);
  const bodies: unknown[] = [];
  const http = createPlatformHttp(options);
  const recording = {
    ...http,
    json: async (request: Parameters<typeof http.json>[0]) => {
      const body = await http.json(request);
      bodies.push(body);
      return body;
    },
  };
  try {
    const adapter = createAdapters(configs, recording, createGenAi(createMetrics('scans')))[platform];
    const runDate = new Date().toISOString().slice(0, 10);
    // Ctrl+C ends the process.
    const { signal } = new AbortController();
    const answer = await adapter.send({ prompt, country, runDate }, { signal });
    return [`${platform}: ${describeAnswer(answer)}`, ...(await compareFields(apiName, bodies))];
  } finally {
    await http.close();
    if (folder !== undefined) await writeBodies(bodies, join(folder, `${apiName}-checked`), config.apiKey);
  }
}

function describeAnswer({ outcome, answerText, sources, model, ...answer }: PlatformAnswer): string {
  const cited = sources.filter((source) => source.cited).length;
  return [
    outcome,
    `${answerText?.length ?? 0} characters`,
    `${sources.length} sources, ${cited} cited`,
    `${answer.sourcesUnresolved} unresolved links`,
    `model ${model ?? 'not named'}`,
    `cost ${answer.costUsd === null ? 'unknown' : `$${answer.costUsd.toFixed(4)}`}`,
    `${(answer.latencyMs / 1_000).toFixed(1)} s`,
  ].join(', ');
}

async function compareFields(apiName: string, bodies: readonly unknown[]): Promise<string[]> {
  const recorded = await readRecordedFields(apiName);
  const found = listFields(bodies);
  const list = (fields: ReadonlySet<string>, others: ReadonlySet<string>): string =>
    [...fields]
      .filter((field) => !others.has(field))
      .toSorted()
      .join(', ') || 'none';
  return [`  new fields: ${list(found, recorded)}`, `  missing fields: ${list(recorded, found)}`];
}

async function writeBodies(bodies: readonly unknown[], path: string, apiKey: string): Promise<void> {
  for (const [index, body] of redact(bodies, apiKey).entries()) {
    const number = bodies.length > 1 ? `-${index + 1}` : '';
    await writeFile(`${path}${number}.json`, `${JSON.stringify(body, null, 2)}\n`);
  }
}
