import { randomInt } from 'node:crypto';
import { request } from 'node:http';
import { checkTiming, shareLonger } from '../checkers/timing.ts';
import { createCustomer } from '../harness/client.ts';
import type { Context, Outcome, Scenario } from '../harness/scenario.ts';

const guesses = 400;
/** Fewer than the failed attempts that an address may make in a minute. */
const perAddress = 12;
const letters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const letter = (): string => letters[randomInt(letters.length)] ?? '0';

/** Milliseconds until a wrong key is refused. Every dozen guesses come from a separate address. */
async function guess(baseUrl: string, key: string, number: number): Promise<number> {
  const address = Math.floor(number / perAddress);
  const from = performance.now();
  const status = await new Promise<number | undefined>((resolve, reject) => {
    const clientRequest = request(`${baseUrl}/orgs`, {
      headers: { authorization: `Bearer ${key}` },
      localAddress: `127.77.${address >> 8}.${(address & 255) + 1}`,
      agent: false,
    });
    clientRequest.once('response', (response) => {
      response.resume();
      response.once('end', () => resolve(response.statusCode));
    });
    clientRequest.once('error', reject);
    clientRequest.end();
  });
  if (status !== 401) throw new Error(`a wrong key got ${status}`);
  return performance.now() - from;
}

async function run({ system, report }: Context): Promise<Outcome> {
  const { key } = await createCustomer(system);
  const keyWithWrongEnd = (): string => {
    const last = letter();
    return last === key.at(-1) ? keyWithWrongEnd() : key.slice(0, -1) + last;
  };
  const randomKey = (): string => key.slice(0, 9) + Array.from({ length: key.length - 9 }, letter).join('');
  const [near, far]: [number[], number[]] = [[], []];
  // Interleaved, so that other load of the machine affects both kinds alike.
  for (let number = 0; number < guesses * 2; number += 1) {
    const [kind, samples] = number % 2 === 0 ? [keyWithWrongEnd, near] : [randomKey, far];
    samples.push(await guess(system.stack.baseUrl, kind(), number));
  }
  const share = shareLonger(near, far);
  report(`a key with only its last character wrong takes longer in ${(share * 100).toFixed(1)} % of pairs`);
  return {
    violations: checkTiming('a key with only its last character wrong', near, far),
    summary: `${guesses} keys with one wrong character, as many random keys, interleaved`,
  };
}

export const keyTiming: Scenario = {
  name: 'key-timing',
  guarantee: 'the time to refuse a wrong key does not depend on how much of it is correct',
  run,
};
