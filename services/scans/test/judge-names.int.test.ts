/** Names that answers present, sorted by the LLM judge. */
import { afterEach, expect, test } from '@jest/globals';
import { completion, createJudgeAt, type JudgeOptions, startJudgeStub } from './judge-harness.ts';

const names = ['Attio', 'Attio CRM', 'G2', '<b>Close\u{200b}', 'Folk'].map((name, index) => ({
  key: `key ${index}`,
  name,
  domain: null,
  is_judged: name === 'Folk',
}));
let stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(stops.map((stop) => stop()));
  stops = [];
});

async function judge(content: unknown, options: JudgeOptions = {}) {
  const stub = await startJudgeStub(() => {
    if (content === undefined) return undefined;
    if (content === null) return { choices: [{ finish_reason: 'content_filter', message: { content } }] };
    return completion(typeof content === 'string' ? content : JSON.stringify({ names: content }));
  });
  const created = createJudgeAt(stub.url, options);
  stops.push(created.close, stub.close);
  const reply = await created.judge.judgeNames(names, new AbortController().signal);
  return { reply, requests: stub.requests, count: created.count };
}

test('have a kind, and the name of which they are a spelling', async () => {
  const { reply, requests } = await judge([
    { id: 0, kind: 'brand', same_as: -1 },
    { id: 1, kind: 'brand', same_as: 0 },
    { id: 2, kind: 'publisher', same_as: -1 },
    { id: 3, kind: 'brand', same_as: 4 },
  ]);
  expect(reply).toEqual([
    { key: 'key 0', kind: 'brand', same_as: null },
    { key: 'key 1', kind: 'brand', same_as: 'key 0' },
    { key: 'key 2', kind: 'publisher', same_as: null },
    { key: 'key 3', kind: 'brand', same_as: 'key 4' },
  ]);
  const [{ messages } = { messages: [] }] = requests;
  expect(messages[1]?.content).not.toContain('<');
  const sent = JSON.parse(messages[1]?.content ?? '');
  expect(sent.names.slice(-1)).toEqual([{ id: 3, name: '<b>Close', domain: null }]);
  expect(sent.known).toEqual([{ id: 4, name: 'Folk', domain: null }]);
});

test('are only those to sort, each once and of no circle', async () => {
  const { reply } = await judge([
    { id: 0, kind: 'brand', same_as: 1 },
    { id: 0, kind: 'publisher', same_as: -1 },
    { id: 1, kind: 'brand', same_as: 0 },
    { id: 2, kind: 'brand', same_as: 9 },
    { id: 3, kind: 'company', same_as: -1 },
    { id: 4, kind: 'publisher', same_as: -1 },
    { id: 5, kind: 'brand', same_as: -1 },
    'Attio',
  ]);
  expect(reply).toEqual([0, 1, 2].map((id) => ({ key: `key ${id}`, kind: 'brand', same_as: null })));
});

const unknown = [0, 1, 2, 3].map((id) => ({ key: `key ${id}`, kind: 'unknown', same_as: null }));

test.each([
  ['none if the reply is no JSON', 'Attio is a brand.', [], 'malformed'],
  ['none if the reply has no names', '{"brands": []}', [], 'malformed'],
  ['null if the reply does not come before the deadline', undefined, null, 'timeout'],
  ['unknown if a content filter refuses them', null, unknown, 'rejected'],
])('are %s, after one call', async (_reason, content, expected, kind) => {
  const { reply, requests, count } = await judge(content, { timeoutMs: 200 });
  expect(reply).toEqual(expected);
  expect(requests).toHaveLength(1);
  expect(await count('bv_scans_sentiment_judge_errors_total', { kind })).toBe(1);
});

test('are not sent if the budget is spent', async () => {
  const { reply, requests } = await judge([], { budget: { reserve: () => Promise.resolve(null) } });
  expect(reply).toBeNull();
  expect(requests).toEqual([]);
});
