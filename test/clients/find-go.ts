/**
 * Prints, as its last line, the directory of a `go` that is new enough for the checks, and installs one if there is none:
 *   PATH="$(node --conditions=@bv/source test/clients/find-go.ts | tail -n 1):$PATH"
 */
import { spawnSync } from 'node:child_process';
import { dirname } from 'node:path';
import { installGo } from './install.ts';

installGo();
const { stdout } = spawnSync('sh', ['-c', 'command -v go'], { encoding: 'utf8' });
console.log(dirname(stdout.trim()));
