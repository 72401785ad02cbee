import { test } from 'node:test';

/** A test of Node's own runner, which waits for all of them by itself. */
export function check(name: string, fn: () => void | Promise<void>): void {
  void test(name, fn);
}
