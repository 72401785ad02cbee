import { strict as assert } from 'node:assert';
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { check } from '../check.ts';
import { containersOf, named, render, workloads } from '../render.ts';
import { chartDir, type Values } from '../values.ts';

const page = readFileSync(join(chartDir, '../../../docs/operations/install-helm.md'), 'utf8');
const commands = [...page.matchAll(/^```sh helm\n([^]*?)^```/gm)].map(([, block]) => block).join('\n');

/** Stores the Secrets that are created, as one file per key, and returns what the commands read from the cluster. */
const kubectl = `#!/usr/bin/env bash
set -eu
case "$1 $2" in
  'create secret')
    mkdir -p "$CLUSTER/$4"
    for argument in "\${@:5}"; do
      case $argument in
        --from-env-file=*) cat "\${argument#*=}" ;;
        --from-literal=*) printf '%s\\n' "\${argument#*=}" ;;
        *) echo "unexpected: $argument" >&2; exit 1 ;;
      esac
    done | while IFS= read -r line; do printf '%s' "\${line#*=}" > "$CLUSTER/$4/\${line%%=*}"; done ;;
  'get secret') base64 -w0 "$CLUSTER/$3/OPERATOR_TOKEN" ;;
  'create namespace' | 'config set-context' | port-forward*) ;;
  *) echo "unexpected: $*" >&2; exit 1 ;;
esac
`;
const record = '#!/bin/sh\nprintf "%s\\n" "$*" >> "$CLUSTER/../commands"\n';

type Installation = { secrets: Map<string, Record<string, string>>; values: string; recorded: string };

/** Runs the blocks of the page that are marked `helm`, with programs that only record. */
function followPage(): Installation {
  const dir = mkdtempSync(join(tmpdir(), 'bv-install-'));
  const [bin, cluster] = [join(dir, 'bin'), join(dir, 'cluster')];
  try {
    for (const folder of [bin, cluster]) mkdirSync(folder);
    for (const [name, text] of Object.entries({ kubectl, helm: record, node: record })) {
      writeFileSync(join(bin, name), text);
      chmodSync(join(bin, name), 0o755);
    }
    const env = {
      PATH: `${bin}:${process.env['PATH']}`,
      CLUSTER: cluster,
      POSTGRES: 'postgres.example.com:5432',
      POSTGRES_OPTIONS: '?sslmode=verify-full',
      POSTGRES_ADMIN: 'postgres',
      POSTGRES_ADMIN_PASSWORD: 'secret',
      REDIS_URL: 'rediss://:password@redis.example.com:6379',
      NATS_URL: 'tls://user:password@nats.example.com:4222',
    };
    execFileSync('bash', ['-euo', 'pipefail', '-c', commands], { cwd: dir, env, stdio: 'pipe' });
    const secrets = readdirSync(cluster).map((name) => {
      const keys = readdirSync(join(cluster, name));
      const data = keys.map((key) => [key, readFileSync(join(cluster, name, key), 'utf8')] as const);
      return [name, Object.fromEntries(data)] as const;
    });
    return {
      secrets: new Map(secrets),
      values: readFileSync(join(dir, 'production.yaml'), 'utf8'),
      recorded: readFileSync(join(dir, 'commands'), 'utf8'),
    };
  } finally {
    rmSync(dir, { recursive: true });
  }
}

const { secrets, values, recorded } = followPage();
const given = parse(values) as { image: Values };
// The release of the chart sets the registry.
const image = { ...given.image, registry: 'registry.example.com' };
const manifests = await render({ values: { ...given, image } });

type Variable = { valueFrom?: { secretKeyRef?: { name: string; key: string; optional?: boolean } } };

check('the page of the installation creates every Secret that the pods require', () => {
  const required = workloads(manifests)
    .flatMap(containersOf)
    .flatMap(({ env = [] }) => env as Variable[])
    .flatMap(({ valueFrom }) => valueFrom?.secretKeyRef ?? []);
  assert.ok(required.length > 30);
  for (const { name, key, optional } of required) {
    if (optional !== true) assert.ok(secrets.get(name)?.[key], `${name} lacks ${key}`);
  }
  assert.deepEqual(
    manifests.filter(({ kind }) => kind === 'Secret'),
    [],
  );
});

check('the page of the installation creates secrets of the required form', () => {
  const keys = secrets.get('brand-visibility-keys') ?? {};
  for (const name of ['CURSOR_KEYS', 'KEY_PEPPERS', 'IDEMPOTENCY_KEYS', 'WEBHOOKS_SECRET_KEYS']) {
    const [id, encoded = ''] = (keys[name] ?? '').split(/:(.*)/s);
    assert.equal(id, '1');
    assert.equal(Buffer.from(encoded, 'base64').length, 32, name);
  }
  for (const name of ['CALLER_SECRETS', 'OPERATOR_TOKEN']) assert.match(keys[name] ?? '', /^[0-9a-f]{48}$/);
  const urls = secrets.get('brand-visibility-postgres') ?? {};
  for (const service of ['gateway', 'catalog', 'results', 'scans', 'webhooks']) {
    const url = new URL(urls[`${service.toUpperCase()}_DATABASE_URL`] ?? '');
    assert.equal(url.username, `bv_${service}`);
    assert.equal(url.pathname + url.search, '/brand_visibility?sslmode=verify-full');
  }
  assert.equal(new URL(urls['ADMIN_DATABASE_URL'] ?? '').pathname, '/postgres');
});

check('a release pushes every image that the pods run', () => {
  const release = readFileSync(join(chartDir, '../../docker/release'), 'utf8');
  const [, pushed = ''] = /^for target in ([a-z ]+); do$/m.exec(release) ?? [];
  const images = workloads(manifests)
    .flatMap(containersOf)
    .map(({ image }) => image as string);
  for (const image of new Set(images)) {
    const [, target = ''] = /^registry\.example\.com\/brand-visibility\/([a-z]+):1\.0\.0$/.exec(image) ?? [];
    assert.ok(pushed.split(' ').includes(target), image);
  }
});

check('the page of the installation installs, tests and creates a customer', () => {
  const [install, test, operator] = recorded.trim().split('\n');
  assert.match(
    install ?? '',
    /^install bv oci:\/\/registry\.example\.com\/charts\/brand-visibility .*--values production\.yaml --wait/,
  );
  assert.match(test ?? '', /^test bv /);
  assert.match(operator ?? '', /^scripts\/run\.mjs operator orgs create /);
  for (const [, kind = '', name = ''] of page.matchAll(/(service|job)\/bv-brand-visibility-([a-z]+)/g)) {
    named(manifests, kind === 'job' ? 'Job' : 'Service', name);
  }
});
