/** Writes the generated files of clients/sdk-python. A machine without Python leaves them to the check in CI. */
import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { installTools, sdk } from './tools.ts';

if (spawnSync('python3', ['--version']).status === 0) {
  console.log('generating the Python SDK; the first time its tools are installed ...');
  execFileSync(installTools(), [join(sdk, 'scripts/generate.py')], { stdio: 'inherit' });
} else {
  console.log('no python3 here: the files of clients/sdk-python are not generated');
}
