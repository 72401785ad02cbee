import { expect, test } from '@jest/globals';
import { fingerprint } from './fingerprint.ts';

const of = (text: string, path = '/v1/a', method = 'POST'): string => {
  const raw = Buffer.from(text);
  return fingerprint({
    method,
    path,
    body: { raw, json: text === '' ? undefined : JSON.parse(text) },
  }).toString('hex');
};

test('order of keys, white space and spelling of numbers do not matter', () => {
  expect(of('{"a":1.0,"b":[1,2]}')).toBe(of(' { "b" : [1,2], "a": 1e0 }'));
});

test('every other difference matters', () => {
  const prints = [
    of('{"a":1}'),
    of('{"a":2}'),
    of('{"a":"1"}'),
    of('[1,2]'),
    of('[2,1]'),
    of(''),
    of('null'),
    of('"no body"'),
    of('{"a":1}', '/v1/b'),
    of('{"a":1}', '/v1/a?x=1'),
    of('{"a":1}', '/v1/a', 'PUT'),
  ];
  expect(new Set(prints).size).toBe(prints.length);
});

test('bodies without a form in RFC 8785 are compared as sent', () => {
  expect(of('{"a":"\\ud800"}')).toBe(of('{"a":"\\ud800"}'));
  expect(of('{"a":1e999}')).not.toBe(of('{"a": 1e999}'));
});
