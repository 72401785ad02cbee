import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

const check = join(import.meta.dirname, '../deploy/cluster/check');

/** Runs the check where only these programs exist. */
function runCheck(programs: readonly string[]): { status: number | null; stderr: string } {
  const bin = mkdtempSync(join(tmpdir(), 'bv-check-'));
  try {
    for (const program of programs) symlinkSync(`/usr/bin/${program}`, join(bin, program));
    return spawnSync('/bin/bash', [check], { env: { PATH: bin }, encoding: 'utf8', timeout: 60_000 });
  } finally {
    rmSync(bin, { recursive: true });
  }
}

test('the check of the cluster lists all that is missing at once, with the Debian packages', () => {
  const { status, stderr } = runCheck(['id', 'sort', 'paste']);
  expect(status).toBe(1);
  for (const what of ['etcd', 'containerd', 'runc', 'iptables', 'ipset', 'openssl', 'docker']) {
    expect(stderr).toContain(`missing: the program ${what}\n`);
  }
  const [packages = ''] = /apt-get install .*/.exec(stderr) ?? [];
  expect(packages.split(' ')).toEqual(
    expect.arrayContaining(['containerd', 'docker.io', 'etcd-server', 'ipset', 'iptables', 'runc']),
  );
});
