import type { Target, Field } from './targets.ts';
import { smallAllowance } from './keys.ts';
import type { Started } from './processes.ts';

/** Checks before the first sample that every process accepts only valid keys, and that all together limit a key. */
export async function checkTarget(target: Target, field: Field): Promise<void> {
  const { name, servers, guards } = target;
  const small = field.keys.small[field.targets.indexOf(target)]?.key ?? '';
  const call = async ({ port }: Started, key: string): Promise<number> => {
    const headers = { authorization: `Bearer ${key}` };
    const response = await fetch(`http://127.0.0.1:${port}${field.path}`, { headers });
    const text = await response.text();
    const whole = response.status !== 200 || text.includes('"next_cursor"');
    if (!whole) throw new Error(`${name} does not pass the answer on: ${text.slice(0, 200)}`);
    return response.status;
  };
  const expect = async (server: Started, what: string, key: string, status: number): Promise<void> => {
    const answered = await call(server, key);
    if (answered !== status) throw new Error(`${name} answers ${what} with ${answered} instead of ${status}`);
  };
  for (const server of servers) {
    await expect(server, 'a good key', field.keys.all[0]?.key ?? '', 200);
    await expect(server, 'another good key', field.keys.all.at(-1)?.key ?? '', 200);
    if (guards) await expect(server, 'an unknown key', `bvk_live_${'0'.repeat(43)}`, 401);
  }
  const [first] = servers;
  if (!guards || first === undefined) return;
  await minuteWithRoom();
  for (let used = 0; used < smallAllowance; used += 1) {
    await expect(first, 'a key within its allowance', small, 200);
  }
  for (const server of servers) await expect(server, 'a key above its allowance', small, 429);
}

/** The allowance must be used up within one minute. */
async function minuteWithRoom(): Promise<void> {
  const leftMs = 60_000 - (Date.now() % 60_000);
  if (leftMs < 3_000) await new Promise((resolve) => setTimeout(resolve, leftMs + 100));
}
