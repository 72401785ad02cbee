import { PlatformDrift } from '@bv/contract';
import { z } from 'zod';
import { defineRpc } from './rpc.ts';

/** Platforms whose answers changed their shape in the last 90 days. */
export const platformDriftRpc = defineRpc({
  subject: 'rpc.results.platform-drift',
  timeoutMs: 2_000,
  request: z.object({}),
  reply: z.array(PlatformDrift),
});
