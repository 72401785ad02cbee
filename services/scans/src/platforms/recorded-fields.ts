import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { PlatformId } from '@bv/contract';
import type { PlatformConfig } from './adapter.ts';

const recordedFolder = fileURLToPath(new URL('../../test/bodies', import.meta.url));

/** Recorded responses with an answer, by the API that sent them. */
const recordings: Readonly<Record<string, readonly string[]>> = {
  chatgpt: ['answer'],
  perplexity: ['marked', 'unmarked'],
  perplexity_agent: ['answer'],
  gemini: ['answer'],
  claude: ['paused', 'resumed'],
  serpapi: ['overview', 'token'],
  dataforseo: ['overview', 'text-only'],
};

/** The name of a platform's API, with which its recordings begin. */
export function toApiName(platform: PlatformId, { provider, api }: PlatformConfig): string {
  if (platform === 'ai_overviews') return provider ?? 'serpapi';
  return api === 'agent' ? `${platform}_agent` : platform;
}

export async function readRecordedFields(apiName: string): Promise<Set<string>> {
  const names = recordings[apiName] ?? [];
  const bodies = await Promise.all(
    names.map(
      async (name) =>
        JSON.parse(await readFile(`${recordedFolder}/${apiName}-${name}.json`, 'utf8')) as unknown,
    ),
  );
  return listFields(bodies);
}

/** The paths of all fields of responses, such as `output[].content[].text`. */
export function listFields(bodies: readonly unknown[]): Set<string> {
  const fields = new Set<string>();
  const visit = (value: unknown, path: string): void => {
    if (typeof value !== 'object' || value === null) return;
    if (Array.isArray(value)) {
      for (const each of value) visit(each, `${path}[]`);
      return;
    }
    for (const [name, member] of Object.entries(value)) {
      const field = path === '' ? name : `${path}.${name}`;
      fields.add(field);
      visit(member, field);
    }
  };
  for (const body of bodies) visit(body, '');
  return fields;
}

/** Fields whose values name an account, a key or a session, in the spellings of the platforms. */
const privateField =
  /^(?:id|.*_id|.*Id|.*_ids|user|login|email|.*account.*|.*organi[sz]ation.*|.*key|.*token|.*identifier|.*signature|.*Signature|encrypted_.*|.*_endpoint|.*_file)$/;

/**
 * Copies without the parts of the key, and with a number for each value that may name an account. The same value gets the
 * same number, because blocks of an answer refer to each other.
 */
export function redact(bodies: readonly unknown[], apiKey: string): unknown[] {
  const numbers = new Map<unknown, number>();
  const secrets = [apiKey, ...apiKey.split(':'), Buffer.from(apiKey).toString('base64')].filter(
    (secret) => secret.length >= 4,
  );
  const withoutSecrets = (text: string): string =>
    secrets.reduce((rest, secret) => rest.replaceAll(secret, 'redacted'), text);
  const toNumber = (value: string | number): string | number => {
    const number = numbers.get(value) ?? numbers.size + 1;
    numbers.set(value, number);
    return typeof value === 'number' ? number : `redacted-${number}`;
  };
  const copy = (value: unknown, name: string): unknown => {
    if ((typeof value === 'string' || typeof value === 'number') && privateField.test(name))
      return toNumber(value);
    if (typeof value === 'string') return withoutSecrets(value);
    if (Array.isArray(value)) return value.map((each) => copy(each, name));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => [withoutSecrets(key), copy(member, key)]),
    );
  };
  return bodies.map((body) => copy(body, ''));
}
