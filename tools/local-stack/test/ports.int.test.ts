import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { freePort } from '../src/index.ts';

const count = 300;

/** Reserves ports in another process, which runs until its input ends. */
function reserveInChild() {
  const ports = fileURLToPath(new URL('../src/processes/ports.ts', import.meta.url));
  const script = `import { freePort } from ${JSON.stringify(ports)};
    const reserved = [];
    for (let i = 0; i < ${count}; i += 1) reserved.push(await freePort());
    process.stdout.write(JSON.stringify(reserved));
    process.stdout.end();
    process.stdin.resume();`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  return {
    reserved: text(child.stdout).then((json) => JSON.parse(json) as number[]),
    end: () => child.stdin.end(),
  };
}

// Without reservation about forty of 900 random ports from 10,000 would be duplicates.
test('no port is returned twice, in one process or in several at once', async () => {
  const others = [reserveInChild(), reserveInChild()];
  const own: number[] = [];
  for (let i = 0; i < count; i += 1) own.push(await freePort());
  const all = [...own, ...(await Promise.all(others.map(({ reserved }) => reserved))).flat()];
  for (const { end } of others) end();
  expect(all).toHaveLength(3 * count);
  expect(new Set(all).size).toBe(3 * count);
});
