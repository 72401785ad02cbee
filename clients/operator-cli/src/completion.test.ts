import { spawnSync } from 'node:child_process';
import { describe, expect, test } from '@jest/globals';
import { commandSpecs } from './commands.ts';
import { createCompletion } from './completion.ts';

const specs = commandSpecs();

/** What bash offers for the last of these words. */
function complete(...words: string[]): string[] {
  const quoted = words.map((word) => `'${word}'`).join(' ');
  const script = `${createCompletion('bash', specs)}
COMP_WORDS=(operator ${quoted})
COMP_CWORD=${words.length}
_operator
printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { status, stdout, stderr } = spawnSync('bash', ['-c', script], { encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return stdout.split('\n').filter((word) => word !== '');
}

describe('completion in bash', () => {
  test('offers groups, verbs, options and fixed values', () => {
    expect(complete('or')).toEqual(['orgs']);
    expect(complete('')).toEqual(expect.arrayContaining(['orgs', 'keys', 'status', 'completion']));
    expect(complete('orgs', 'de')).toEqual(['delete']);
    expect(complete('completion', '')).toEqual(['bash', 'zsh', 'fish']);
    expect(complete('keys', 'create', '--o')).toEqual(['--org']);
    expect(complete('orgs', 'delete', '--')).toContain('--yes');
    expect(complete('brands', 'list', '--no-')).toEqual(['--no-is-own', '--no-archived']);
    expect(complete('keys', 'create', '--scopes', '')).toEqual(['read', 'write']);
    expect(complete('partners', 'update', 'x', '--status', 'a')).toEqual(['active']);
  });

  test('offers nothing for a value without fixed values', () => {
    expect(complete('orgs', 'create', '--name', '')).toEqual([]);
  });

  test('offers the options of a command without a verb', () => {
    expect(complete('usage', '--mo')).toEqual(['--month']);
  });
});

test('every shell has every command', () => {
  for (const shell of ['bash', 'zsh', 'fish'] as const) {
    const script = createCompletion(shell, specs);
    for (const { group, verb } of specs) {
      expect(script).toContain(group);
      expect(script).toContain(verb);
    }
  }
});
