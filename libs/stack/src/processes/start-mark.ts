import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * A mark that, with the number, names one process for good: numbers are used again, also after a restart
 * of the machine, but never with the same start time. Undefined when there is no such process.
 */
export function startMark(pid: number): string | undefined {
  try {
    if (process.platform !== 'linux') {
      return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim();
    }
    // Field 22, counted after the command, which is in parentheses and may itself hold spaces.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields[0] === 'Z') return undefined;
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}:${fields[19]}`;
  } catch {
    return undefined;
  }
}
