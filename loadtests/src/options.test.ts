import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { readOptions } from './options.ts';

const token = { OPERATOR_TOKEN: 'token' };
const elsewhere = ['--env', 'cluster'];

test('a run on another environment is refused without the metrics it needs', () => {
  for (const scenario of ['limiter', 'soak'])
    expect(() => readOptions([scenario, ...elsewhere], token)).toThrow(`${scenario} needs --monitoring`);
  expect(() => readOptions(['failed-attempts', ...elsewhere], token)).toThrow('runs only locally');
  expect(() => readOptions(['day', ...elsewhere], {})).toThrow('OPERATOR_TOKEN');
  expect(() => readOptions(['soak', '--seconds', '30'], {})).toThrow('at least 60 s');
});

test('a run on another environment with all it needs is accepted', () => {
  const options = readOptions(['limiter', ...elsewhere, '--monitoring', 'http://a:1,http://b:1'], token);
  expect(options.monitoring).toEqual(['http://a:1', 'http://b:1']);
  expect(readOptions(['soak'], {}).seconds).toBe(1_800);
});

test('the default operator URL of a run on Compose is published by compose.yaml', () => {
  const { operatorUrl } = readOptions(['day', '--env', 'compose'], token);
  const published = readFileSync(new URL('../compose.yaml', import.meta.url), 'utf8');
  const { hostname, port } = new URL(operatorUrl);
  expect(published).toContain(`'${hostname}:${port}:8090'`);
});
