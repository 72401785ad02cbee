import { text } from 'node:stream/consumers';
import { type HandlerInput, route } from '@bv/http';
import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import {
  createThing,
  getOrgThing,
  getSummary,
  getThing,
  listThings,
  operatorChange,
  operatorGetOrgThing,
  operatorImport,
  strictThing,
  touchThing,
} from './operations.ts';
import { startApp } from './start-app.ts';

export const id = '3f2a0e6c-9d7b-4b1e-8a35-6f0c1d2e3b4a';
export const thing = { id, name: 'a thing' };

/** What a test makes the handlers do, and what they got. It is reset before each test. */
export const things: {
  onGet: () => Promise<{ data: typeof thing }>;
  eventIds: string[];
  seen: HandlerInput<typeof createThing> | undefined;
} = { onGet: async () => ({ data: thing }), eventIds: [], seen: undefined };

export const routes = [
  route(getThing, () => things.onGet()),
  route(listThings, async ({ query }) => ({
    data: [{ id, name: JSON.stringify(query) }],
    pagination: { next_cursor: null, has_more: false },
  })),
  route(getSummary, async () => ({ data: { count: 1 } })),
  route(createThing, async (input) => {
    things.seen = input;
    return { data: { id: input.params.thingId, name: input.body.name } };
  }),
  route(strictThing, async () => ({ data: thing })),
  route(touchThing, async ({ body }) => ({ data: { id, name: String(body) } })),
  route(getOrgThing, async () => ({ data: thing })),
  route(operatorGetOrgThing, async () => ({ data: thing })),
  route(operatorChange, async () => ({ data: { ok: true }, eventIds: things.eventIds })),
  route(operatorImport, async ({ body }) => ({ data: { lines: (await text(body)).split('\n').length } }), {
    body: 'stream',
  }),
];

type ThingsApp = Awaited<ReturnType<typeof startApp>>;

/** A service app with one route for each kind of operation, for the tests of a file. */
export function useThingsApp(): Omit<ThingsApp, 'close'> {
  let app: ThingsApp;
  beforeAll(async () => {
    app = await startApp(routes, {
      flushEvents: async (ids) => {
        if (ids.includes('stuck')) throw new Error('the outbox was not flushed in time');
        return ids.map((_id, index) => ({ subject: `events.${index % 2}`, seq: index + 10 }));
      },
    });
  });
  afterAll(() => app.close());
  beforeEach(() => {
    things.onGet = async () => ({ data: thing });
    things.eventIds = [];
    things.seen = undefined;
    app.lines.length = 0;
  });
  return {
    call: (path, options) => app.call(path, options),
    get url() {
      return app.url;
    },
    get lines() {
      return app.lines;
    },
    get metrics() {
      return app.metrics;
    },
  };
}

export const getError = (json: unknown) =>
  (json as { error: { code: string; message: string; details?: unknown } }).error;
export const getDetails = (json: unknown) => getError(json).details as { path: string; code: string }[];
