import { Presets, SingleBar } from 'cli-progress';

type Values = { rows: number; restarts: number; fraction: number | undefined };

/** A bar with the number of rows and their rate, on standard error. */
export function createProgress() {
  const startMs = performance.now();
  let first: number | undefined;
  const bar = new SingleBar(
    {
      format: '{bar} {share} | {rows} rows | {rate} rows/s{note}',
      // Ctrl-C ends the program instead of the bar.
      gracefulExit: false,
      // Without a terminal: a line every five seconds.
      noTTYOutput: true,
      notTTYSchedule: 5_000,
      etaBuffer: 1,
    },
    Presets.legacy,
  );
  const describe = ({ rows, restarts, fraction }: Values) => {
    first ??= rows;
    const seconds = Math.max((performance.now() - startMs) / 1000, 0.001);
    return {
      rows,
      share: fraction === undefined ? '' : `${Math.floor(fraction * 100)} %`,
      rate: Math.round((rows - first) / seconds),
      note: restarts === 0 ? '' : ` | started again ${restarts} times: the data changed`,
    };
  };
  return {
    update: (values: Values) => {
      if (!bar.isActive) bar.start(100, 0, describe(values));
      bar.update(Math.floor((values.fraction ?? 0) * 100), describe(values));
    },
    stop: () => bar.stop(),
  };
}
