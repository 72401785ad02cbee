import { expect, test } from '@jest/globals';
import { arrive, createRandom } from './random.ts';
import { simulate, type Observed } from './station.ts';

const serviceSeconds = 0.01;

type Options = { load: number; servers?: number; deterministic?: boolean; seed?: number };

function run({ load, servers = 1, deterministic = false, seed = 7 }: Options): Observed {
  const random = createRandom(seed);
  const perSecond = (load * servers) / serviceSeconds;
  return simulate({
    arrivals: arrive(random, { perSecond, seconds: 400_000 / perSecond }),
    service: () => (deterministic ? serviceSeconds : random.exponential(serviceSeconds)),
    servers,
  });
}

/** Whether a simulated value is within a share of the value by the formula. */
function expectNear(value: number, expected: number, share = 0.06): void {
  expect(Math.abs(value / expected - 1)).toBeLessThan(share);
}

test.each([0.3, 0.6, 0.8])('the mean queue of M/M/1 at a load of %s', (load) => {
  const { queue, wait } = run({ load });
  expectNear(queue.mean, load ** 2 / (1 - load));
  expectNear(wait.mean, (serviceSeconds * load) / (1 - load));
});

test.each([0.3, 0.6, 0.8])('the mean queue of M/D/1 is half of it at a load of %s', (load) => {
  expectNear(run({ load, deterministic: true }).queue.mean, load ** 2 / 2 / (1 - load));
});

test('99 % of the waiting times of M/M/1 are below the percentile of the formula', () => {
  const load = 0.7;
  const expected = (serviceSeconds / (1 - load)) * Math.log(load / 0.01);
  expectNear(run({ load }).wait.p99, expected);
});

/** Erlang C: the share of arrivals that wait. */
function erlangC(servers: number, load: number): number {
  const offered = servers * load;
  let [term, sum] = [1, 0];
  for (let busy = 0; busy < servers; busy += 1) {
    sum += term;
    term *= offered / (busy + 1);
  }
  const full = term / (1 - load);
  return full / (sum + full);
}

test.each([
  [4, 0.7],
  [16, 0.9],
])('the mean queue of M/M/%i at a load of %s', (servers, load) => {
  expectNear(run({ servers, load }).queue.mean, (erlangC(servers, load) * load) / (1 - load), 0.1);
});

test('a station that opens late has the arrivals until then in its queue, and works them off', () => {
  const random = createRandom(3);
  const [perSecond, servicePerSecond, opensAt] = [100, 400, 60];
  const { queue, emptyAt } = simulate({
    arrivals: arrive(random, { perSecond, seconds: 200, batch: 2 }),
    service: () => random.exponential(1 / servicePerSecond),
    servers: 1,
    opensAt,
  });
  expectNear(queue.max, perSecond * opensAt, 0.05);
  expectNear((emptyAt ?? 0) - opensAt, (perSecond * opensAt) / (servicePerSecond - perSecond), 0.1);
});

test('the seed decides the result', () => {
  expect(run({ load: 0.5 })).toEqual(run({ load: 0.5 }));
  expect(run({ load: 0.5, seed: 8 })).not.toEqual(run({ load: 0.5 }));
});
