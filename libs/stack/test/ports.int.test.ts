import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { freePort } from '../src/index.ts';

const count = 300;

/** Ports that a process of its own was given; it lives until its input ends. */
function portsOfAnother() {
  const ports = fileURLToPath(new URL('../src/processes/ports.ts', import.meta.url));
  const script = `import { freePort } from ${JSON.stringify(ports)};
    const given = [];
    for (let i = 0; i < ${count}; i += 1) given.push(await freePort());
    process.stdout.write(JSON.stringify(given));
    process.stdout.end();
    process.stdin.resume();`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  return {
    given: text(child.stdout).then((given) => JSON.parse(given) as number[]),
    end: () => child.stdin.end(),
  };
}

// Of 900 drawn from 10,000 about forty would be there twice.
test('no port is given out twice, in one process or in several at once', async () => {
  const others = [portsOfAnother(), portsOfAnother()];
  const own: number[] = [];
  for (let i = 0; i < count; i += 1) own.push(await freePort());
  const all = [...own, ...(await Promise.all(others.map(({ given }) => given))).flat()];
  for (const { end } of others) end();
  expect(all).toHaveLength(3 * count);
  expect(new Set(all).size).toBe(3 * count);
});
