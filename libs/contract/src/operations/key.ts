import { operation } from '../operation.ts';
import { noParams, noQuery } from '../parameters.ts';
import { KeyIntrospection } from '../resources/key.ts';

export const getKey = operation({
  id: 'getKey',
  service: 'gateway',
  method: 'GET',
  path: '/key',
  summary: 'Read the key',
  description:
    'Describes the key that the request is sent with: its scopes, allowance and quota. It is charged like every read. `X-RateLimit-Remaining` of any response has the rest of the minute.',
  params: noParams,
  query: noQuery,
  body: null,
  success: { status: 200, kind: 'item', data: KeyIntrospection },
});
