import { test } from 'node:test';

/** Registers a test with the runner of Node, which waits for all tests. */
export function check(name: string, fn: () => void | Promise<void>): void {
  void test(name, fn);
}
