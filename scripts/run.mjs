/**
 * Entry point of `npm start`, `npm test` and operator commands, with Node 20 or later and nothing installed. Installs pnpm
 * and the packages, which include the pinned Node, and runs the command with it. Plain JavaScript without dependencies.
 */
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const tools = join(root, '.tools');
const marker = join(root, 'node_modules', '.bv-installed');
const pinnedNode = join(root, 'node_modules', 'node', 'bin', 'node');
const networkHint = `This step needs the npm registry. Check the network, the proxy (HTTPS_PROXY) and
\`npm config get registry\`, then run the same command again. Completed downloads are kept.`;

/** Program, options of Node and working directory of each command. */
const commands = {
  start: { program: 'tools/local-stack/src/start.ts', cwd: root },
  test: {
    program: 'node_modules/jest/bin/jest.js',
    nodeOptions: ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'],
    // Without a choice of tests, those that take long are left to CI.
    defaultArgs: ['--testPathIgnorePatterns', '/node_modules/', '/dist/', '\\.slow\\.test\\.ts$'],
    cwd: root,
  },
  // Paths of import files are relative to the operator's directory.
  operator: { program: 'clients/operator-cli/src/main.ts', cwd: process.cwd() },
  // Run where the settings of the platforms are, so the operator API has no such commands.
  'operator scans': { program: 'services/scans/src/main.ts', cwd: process.cwd() },
  migrate: { program: 'libs/migrator/src/main.ts', cwd: root },
};

/** Logs to standard error, because standard output belongs to the started program (`--json`). */
function log(message) {
  process.stderr.write(`${message}\n`);
}

function fail(message) {
  process.stderr.write(`\n${message}\n`);
  process.exit(1);
}

function checkMachine() {
  const [major] = process.versions.node.split('.').map(Number);
  if (major < 20) {
    fail(`Node ${process.versions.node} is too old. Node 20 or later is required.`);
  }
  if (process.platform === 'win32') fail('Windows is not supported directly. Run this inside WSL.');
}

function sha256(files) {
  const hash = createHash('sha256');
  for (const file of files) hash.update(readFileSync(join(root, file)));
  return hash.digest('hex');
}

/** Fingerprint of the platform and of the files that decide which packages are installed. */
function installFingerprint() {
  return `${process.platform}-${process.arch} ${sha256(['pnpm-lock.yaml', 'pnpm-workspace.yaml', 'package.json'])}`;
}

function isInstalled() {
  return (
    existsSync(marker) &&
    readFileSync(marker, 'utf8').trim() === installFingerprint() &&
    existsSync(pinnedNode)
  );
}

function pnpmVersion() {
  const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return packageManager.split('@')[1].split('+')[0];
}

/** Runs pnpm outside the checkout. Inside, any pnpm would report the version that package.json names. */
function hasVersion(pnpm, version) {
  const result = spawnSync(pnpm, ['--version'], { cwd: tmpdir(), encoding: 'utf8', timeout: 20_000 });
  return result.status === 0 && result.stdout.trim() === version;
}

function findOrInstallPnpm() {
  const version = pnpmVersion();
  const own = join(tools, 'node_modules', '.bin', 'pnpm');
  for (const candidate of [own, 'pnpm']) {
    if (hasVersion(candidate, version)) return candidate;
  }
  log(`Installing pnpm ${version} into .tools/ ...`);
  mkdirSync(tools, { recursive: true });
  const { status, error } = spawnSync(
    'npm',
    [
      'install',
      '--prefix',
      tools,
      '--no-audit',
      '--no-fund',
      '--ignore-scripts=false',
      '--fetch-retries=2',
      '--fetch-retry-mintimeout=2000',
      '--fetch-timeout=60000',
      `pnpm@${version}`,
    ],
    { cwd: tools, stdio: ['inherit', 2, 'inherit'] },
  );
  if (error?.code === 'ENOENT')
    fail('npm was not found. It is part of Node, on some systems a separate package.');
  if (status !== 0) fail(`pnpm ${version} could not be installed.\n${networkHint}`);
  if (!hasVersion(own, version))
    fail(`pnpm ${version} was installed into .tools/ but does not run on this machine.`);
  return own;
}

function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

function tryLock(lock) {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    return false;
  }
}

/** Serialises installations: `npm start` and `npm test` may run at the same time in a fresh checkout. */
async function withInstallLock(install) {
  const lock = join(tools, 'install.lock');
  mkdirSync(tools, { recursive: true });
  for (let tries = 0; !tryLock(lock); tries += 1) {
    const holder = existsSync(lock) ? Number(readFileSync(lock, 'utf8')) : 0;
    // A lock that stays empty: its creator was killed before it wrote its process id.
    const abandoned = holder > 0 ? !isRunning(holder) : tries > 50;
    if (abandoned) rmSync(lock, { force: true });
    else if (tries === 0) log('Waiting for another installation in this checkout ...');
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  const unlock = () => rmSync(lock, { force: true });
  process.once('exit', unlock);
  await install();
  process.off('exit', unlock);
  unlock();
}

function install() {
  if (isInstalled()) return;
  const pnpm = findOrInstallPnpm();
  log('Installing packages ...');
  const { status, signal } = spawnSync(
    pnpm,
    [
      'install',
      '--frozen-lockfile',
      '--config.confirmModulesPurge=false',
      '--config.fetchRetries=2',
      '--config.fetchRetryMintimeout=2000',
    ],
    {
      cwd: root,
      stdio: ['inherit', 2, 'inherit'],
      // The package `node` downloads its binary with npm. Few retries, so that a missing network is reported soon.
      env: { ...process.env, npm_config_fetch_retries: '2', npm_config_fetch_retry_mintimeout: '2000' },
    },
  );
  if (signal !== null) process.exit(130);
  if (status !== 0) fail(`The packages could not be installed.\n${networkHint}`);
  const node = spawnSync(pinnedNode, ['--version'], { encoding: 'utf8' });
  if (node.status !== 0) fail(`The pinned Node (${pinnedNode}) does not run on this machine.`);
  writeFileSync(marker, `${installFingerprint()}\n`);
  log(`Packages are installed; using Node ${node.stdout.trim().slice(1)}.`);
}

/** Calls `stop` when the parent process exits: npm signals only its shell, which exits without notice. */
function onParentExit(stop) {
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    stop();
  }, 500);
  watch.unref();
}

/** Runs the program on the same terminal. Its IPC channel closes when this process ends, even by kill -9. */
function runWithPinnedNode({ program, nodeOptions = [], defaultArgs = [], cwd }, args) {
  const chosen = args.length === 0 ? defaultArgs : args;
  const words = ['--conditions=@bv/source', ...nodeOptions, join(root, program), ...chosen];
  const child = spawn(pinnedNode, words, { cwd, stdio: ['inherit', 'inherit', 'inherit', 'ipc'] });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  onParentExit(() => child.kill('SIGTERM'));
  child.on('error', (error) => fail(`The pinned Node could not be started: ${error.message}`));
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code ?? 1);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

const [command, ...rest] = process.argv.slice(2);
checkMachine();
if (command !== 'install' && !Object.hasOwn(commands, command ?? '')) {
  fail(`Usage: node scripts/run.mjs ${Object.keys(commands).join(' | ')} | install   [arguments]`);
}
if (!isInstalled()) await withInstallLock(install);
const isOfScans = command === 'operator' && ['judge', 'platforms'].includes(rest[0]);
if (command !== 'install') runWithPinnedNode(commands[isOfScans ? 'operator scans' : command], rest);
