import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '../..');

/** The pages whose shell commands are checked. */
export const operatorPages = ['docs/capacity-planning.md', 'docs/operations.md']
  .concat(globSync('docs/operations/*.md', { cwd: root }))
  .toSorted();

export type ShellBlock = {
  page: string;
  line: number;
  /** The word after `sh`, such as `run`. Empty: the block is only parsed. */
  name: string;
  commands: string;
};

/** The shell blocks of a page, also those inside of a list, without their indentation. */
export function listShellBlocks(page: string): ShellBlock[] {
  const text = readFileSync(join(root, page), 'utf8');
  return [...text.matchAll(/^( *)```sh *(\S*)\n([^]*?)^ *```$/gm)].map((match) => {
    const [, indent = '', name = '', commands = ''] = match;
    return {
      page,
      line: text.slice(0, match.index).split('\n').length,
      name,
      commands: commands.replaceAll(new RegExp(`^ {0,${indent.length}}`, 'gm'), ''),
    };
  });
}

/** `ADMIN_DATABASE_URL` names the database `postgres`, as the page of the installation sets it. */
export function databaseVariables(serverUrl: string) {
  const url = (name: string): string => Object.assign(new URL(serverUrl), { pathname: `/${name}` }).href;
  return { ADMIN_DATABASE_URL: url('postgres'), PRODUCT_DATABASE_URL: url('brand_visibility') };
}

export type Run = {
  cwd: string;
  variables: Record<string, string>;
  user?: { uid: number; gid: number };
};

/** Runs commands unchanged and stops at the first that fails. Returns what they print. */
export function runCommands(commands: string, { cwd, variables, user }: Run): string {
  const { status, stdout, stderr } = spawnSync('bash', ['-euo', 'pipefail', '-c', commands], {
    cwd,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...variables },
    encoding: 'utf8',
    timeout: 300_000,
    ...user,
  });
  if (status !== 0) throw new Error(`status ${status} of the commands\n${commands}\n${stdout}${stderr}`);
  return stdout;
}

/** Runs the only block of the operator pages with this name. */
export function runDocumentedCommands(name: string, run: Run): void {
  const [block, ...others] = operatorPages.flatMap(listShellBlocks).filter((each) => each.name === name);
  if (block === undefined || others.length > 0)
    throw new Error(`not exactly one shell block is named ${name}`);
  console.log(block.commands.trimEnd());
  runCommands(block.commands, run);
}
