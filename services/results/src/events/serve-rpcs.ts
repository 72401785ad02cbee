import { platformDriftRpc, type RpcServer, serveRpc } from '@bv/events';
import type { Logger } from '@bv/telemetry';
import { type Context, getToday } from '../context.ts';
import { listDriftedDays } from '../db/platform-days.ts';
import { addDays } from '../domain/calendar.ts';
import { listDrifts } from '../domain/platform-drift.ts';

const shownDays = 90;

export const servePlatformDrift = (ctx: Context, log: Logger): RpcServer =>
  serveRpc(
    ctx.nats,
    platformDriftRpc,
    async () => {
      const to = getToday(ctx);
      return listDrifts(await listDriftedDays(ctx.pool, { from: addDays(to, 1 - shownDays), to }));
    },
    { queue: 'results', log },
  );
