/**
 * Compares docs/openapi.json with that of the last release (docs/releases). Prints the changes as a section for
 * CHANGELOG.md, and fails on a breaking one. `--release` makes the current commit the released one.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { installGoTool } from './install.ts';

type Operation = { operationId: string; requestBody: { content: unknown }; responses: unknown };
type Document = {
  info: { version: string; 'x-revision': string };
  paths: Record<string, unknown>;
  webhooks?: Record<string, { post: Operation }>;
};

const root = join(import.meta.dirname, '../..');
const base = join(root, 'docs/releases/base.txt');
const accepted = join(root, 'docs/releases/accepted-changes.txt');

/** The document with each webhook as an operation that returns the payload: a further field in it is no breaking change. */
function withWebhooksAsResponses(text: string): Document {
  const { webhooks = {}, ...document } = JSON.parse(text) as Document;
  const paths = { ...document.paths };
  for (const [name, { post }] of Object.entries(webhooks)) {
    const { requestBody, operationId } = post;
    const responses = { 200: { description: 'Payload', content: requestBody.content } };
    paths[`/webhooks/${name}`] = { get: { operationId, responses } };
  }
  // The version is 1.0.0 in every release. The revision is what a reader of the changelog knows.
  return { ...document, paths, info: { ...document.info, version: document.info['x-revision'] } };
}

function oasdiff(command: 'changelog' | 'breaking', files: string[], ...words: string[]): number {
  const { status, error, stdout } = spawnSync(installGoTool('oasdiff'), [command, ...files, ...words], {
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
  });
  if (status === null) throw new Error('oasdiff did not run', { cause: error });
  console.log(stdout.replaceAll(/\n{3,}/g, '\n\n').trim());
  return status;
}

const git = (...words: string[]): string =>
  execFileSync('git', words, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 });

/** Null in a shallow clone that cannot fetch the commit. */
function readReleased(): string | null {
  const commit = readFileSync(base, 'utf8').trim();
  const run = (...words: string[]): boolean => spawnSync('git', words, { cwd: root }).status === 0;
  const isThere = run('cat-file', '-e', commit) || run('fetch', '--quiet', '--depth=1', 'origin', commit);
  if (!isThere && git('rev-parse', '--is-shallow-repository').trim() === 'true') return null;
  return git('show', `${commit}:docs/openapi.json`);
}

function compare(): number {
  const released = readReleased();
  if (released === null) {
    console.log('Not compared: this shallow clone cannot fetch the commit of docs/releases/base.txt.');
    return 0;
  }
  const current = readFileSync(join(root, 'docs/openapi.json'), 'utf8');
  const dir = mkdtempSync(join(tmpdir(), 'bv-openapi-'));
  try {
    const files = Object.entries({ released, current }).map(([name, text]) => {
      const copy = join(dir, `${name}.json`);
      writeFileSync(copy, JSON.stringify(withWebhooksAsResponses(text)));
      return copy;
    });
    const changelog = oasdiff('changelog', files, '--format', 'markdown');
    if (changelog !== 0) return changelog;
    return oasdiff('breaking', files, '--err-ignore', accepted, '--fail-on', 'WARN');
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

function release(): void {
  writeFileSync(base, git('rev-parse', 'HEAD'));
  const comments = readFileSync(accepted, 'utf8').split('\n', 1);
  writeFileSync(accepted, `${comments[0]}\n`);
}

const { values } = parseArgs({ options: { release: { type: 'boolean', default: false } } });
if (values.release) release();
else process.exitCode = compare();
