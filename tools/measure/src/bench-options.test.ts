import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { parseBenchOptions, toUsage } from './bench-options.ts';

const options = {
  rounds: { default: '5', description: 'rounds of each comparison' },
  against: { default: '', description: 'another checkout' },
  force: { default: false, description: 'prints figures of a busy machine' },
} as const;

test('values replace the defaults', () => {
  expect(parseBenchOptions([], options)).toEqual({ rounds: '5', against: '', force: false });
  expect(parseBenchOptions(['--rounds', '2', '--force'], options)).toMatchObject({
    rounds: '2',
    force: true,
  });
});

test('--help asks for the usage, which has every option with its default', () => {
  expect(parseBenchOptions(['--rounds', '2', '--help'], options)).toBe('help');
  expect(toUsage('edge', options)).toBe(`pnpm bench edge [options]

  --rounds <value>   rounds of each comparison (default: 5)
  --against <value>  another checkout
  --force            prints figures of a busy machine
`);
});

test.each([[['--round', '2']], [['--rounds']], [['--force=yes']], [['2']]])('%j is invalid', (args) => {
  expect(() => parseBenchOptions(args, options)).toThrow(/'--round'|'--rounds <value>'|'--force'|'2'/);
});

test('a benchmark prints its options to stdout, or after an invalid one to stderr', () => {
  const script = fileURLToPath(new URL('../../../scripts/bench.ts', import.meta.url));
  const run = (argument: string) => {
    const args = ['--conditions=@bv/source', script, 'scans', argument];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    return { status, stdout, stderr };
  };
  const help = run('--help');
  expect(help).toEqual({ status: 0, stdout: expect.stringContaining('--concurrency'), stderr: '' });
  const stderr = `Unknown option '--nothing'\n\n${help.stdout}`;
  expect(run('--nothing')).toEqual({ status: 2, stdout: '', stderr });
});
