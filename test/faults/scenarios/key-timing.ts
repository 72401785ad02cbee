import { randomInt } from 'node:crypto';
import { request } from 'node:http';
import { checkTiming, shareLonger } from '../checkers/timing.ts';
import { createCustomer } from '../harness/client.ts';
import type { Context, Outcome, Scenario } from '../harness/scenario.ts';

const guesses = 400;
/** Fewer than the failed attempts that an address has in a minute. */
const perAddress = 12;
const letters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const letter = (): string => letters[randomInt(letters.length)] ?? '0';

/** Milliseconds until a wrong key is refused; every dozen guesses come from an address of their own. */
async function guess(baseUrl: string, key: string, number: number): Promise<number> {
  const address = Math.floor(number / perAddress);
  const from = performance.now();
  const status = await new Promise<number | undefined>((resolve, reject) => {
    const asked = request(`${baseUrl}/orgs`, {
      headers: { authorization: `Bearer ${key}` },
      localAddress: `127.77.${address >> 8}.${(address & 255) + 1}`,
      agent: false,
    });
    asked.once('response', (response) => {
      response.resume();
      response.once('end', () => resolve(response.statusCode));
    });
    asked.once('error', reject);
    asked.end();
  });
  if (status !== 401) throw new Error(`a wrong key was answered ${status}`);
  return performance.now() - from;
}

async function run({ system, say }: Context): Promise<Outcome> {
  const { key } = await createCustomer(system);
  const wrongLast = (): string => {
    const last = letter();
    return last === key.at(-1) ? wrongLast() : key.slice(0, -1) + last;
  };
  const unlike = (): string => key.slice(0, 9) + Array.from({ length: key.length - 9 }, letter).join('');
  const [near, far]: [number[], number[]] = [[], []];
  // Turn by turn, so that whatever else the machine does falls on both.
  for (let number = 0; number < guesses * 2; number += 1) {
    const [kind, samples] = number % 2 === 0 ? [wrongLast, near] : [unlike, far];
    samples.push(await guess(system.stack.baseUrl, kind(), number));
  }
  const share = shareLonger(near, far);
  say(`a key that is right but for its last letter takes longer in ${(share * 100).toFixed(1)} % of pairs`);
  return {
    violations: checkTiming('a key that is nearly right', near, far),
    did: `${guesses} keys that are right but for a letter, as many that are not, by turns`,
  };
}

export const keyTiming: Scenario = {
  name: 'key-timing',
  promise: 'how long a wrong key is looked up says nothing about how nearly right it is',
  run,
};
