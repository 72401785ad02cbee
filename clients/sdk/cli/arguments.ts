import { InvalidArgumentError } from 'commander';

export function parseDay(written: string): string {
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(written) && !Number.isNaN(Date.parse(written));
  if (!isDay) throw new InvalidArgumentError('A day is written like 2026-11-25.');
  return written;
}

export function parseMinutes(written: string): number {
  const minutes = Number(written);
  if (!(minutes > 0 && minutes <= 1440)) throw new InvalidArgumentError('Minutes are between 1 and 1440.');
  return minutes;
}

export function parseSeconds(written: string): number {
  const seconds = Number(written);
  if (!(seconds >= 1 && seconds <= 3600)) throw new InvalidArgumentError('Seconds are between 1 and 3600.');
  return seconds;
}

export function parseTime(written: string): number {
  const time = /^\d{4}-\d{2}-\d{2}(?:T[\d:.]+Z)?$/.test(written) ? Date.parse(written) : Number.NaN;
  if (Number.isNaN(time)) throw new InvalidArgumentError('A time is written like 2026-11-25T09:00:00Z.');
  return time;
}

export function parseReceiver(written: string): URL {
  const url = URL.canParse(written) ? new URL(written) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new InvalidArgumentError('An address is written like http://localhost:3000/webhooks.');
  }
  return url;
}
