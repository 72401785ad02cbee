import { expect, test } from '@jest/globals';
import { withDeadline } from './process.ts';

test('a step that hangs ends in time', async () => {
  const hung = withDeadline(() => new Promise(() => {}), 20);
  await expect(hung([])).rejects.toThrow('not prepared within 20 ms');
});

test('a step that fails fails as it did, and one that ends in time is done', async () => {
  const failing = withDeadline(async () => {
    throw new Error('no');
  });
  await expect(failing([])).rejects.toThrow('no');
  await expect(withDeadline(async () => {})([])).resolves.toBeUndefined();
});
