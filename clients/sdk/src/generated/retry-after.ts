// Generated from @bv/resilience by `pnpm generate`; changes belong there.

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

const month = '(?<month>[a-z]{3})';
const time = '(?<hour>\\d{2}):(?<minute>\\d{2}):(?<second>\\d{2})';
const zone = '(?:GMT|UTC|UT|Z|(?<offset>[+-]\\d{4}))';

/** The three formats of RFC 9110 5.6.7. Zones other than GMT and a missing day of the week are also accepted. */
const dateForms = [
  // IMF-fixdate: Sun, 06 Nov 1994 08:49:37 GMT
  `^(?:[a-z]{3,9}, ?)?(?<day>\\d{1,2}) ${month} (?<year>\\d{4}) ${time} ${zone}$`,
  // RFC 850: Sunday, 06-Nov-94 08:49:37 GMT
  `^(?:[a-z]{3,9}, ?)?(?<day>\\d{1,2})-${month}-(?<year>\\d{2}|\\d{4}) ${time} ${zone}$`,
  // asctime, always in GMT: Sun Nov  6 08:49:37 1994
  `^[a-z]{3} ${month} +(?<day>\\d{1,2}) ${time} (?<year>\\d{4})$`,
].map((form) => new RegExp(form, 'i'));

/** Maximum of a number of seconds by RFC 9111 1.2.2: 68 years. */
const maxSeconds = 2 ** 31;

/**
 * Seconds to wait by `Retry-After`: a number of seconds, or a date in one of the forms of HTTP. `undefined` when there is
 * no header or it is neither; of several headers the longest wait counts, and of values joined in one the first that can
 * be read. The caller limits how long it waits.
 */
export function parseRetryAfter(
  written: string | readonly string[] | null | undefined,
  nowMs: number,
): number | undefined {
  const values = typeof written === 'string' ? [written] : (written ?? []);
  const waits = values.map((value) => parseJoined(value, nowMs)).filter((wait) => wait !== undefined);
  return waits.length === 0 ? undefined : Math.max(...waits);
}

/** `fetch` joins the values of equal headers with commas, which dates contain too. */
function parseJoined(value: string, nowMs: number): number | undefined {
  for (const part of [value, ...value.split(',')]) {
    const wait = parseOne(part.trim(), nowMs);
    if (wait !== undefined) return wait;
  }
  return undefined;
}

function parseOne(value: string, nowMs: number): number | undefined {
  // The RFC does not allow a fraction, but its meaning is clear.
  const seconds = /^\d+(?:\.\d+)?$/.test(value) ? Math.ceil(Number(value)) : secondsUntil(value, nowMs);
  return seconds === undefined ? undefined : Math.min(seconds, maxSeconds);
}

function secondsUntil(value: string, nowMs: number): number | undefined {
  const dateMs = parseHttpDate(value, nowMs);
  return dateMs === undefined ? undefined : Math.max(0, (dateMs - nowMs) / 1000);
}

function parseHttpDate(value: string, nowMs: number): number | undefined {
  const found = dateForms.map((form) => form.exec(value)?.groups).find((groups) => groups !== undefined);
  if (found === undefined) return undefined;
  const part = (name: string) => Number(found[name]);
  const [day, hour, minute, second] = [part('day'), part('hour'), part('minute'), part('second')];
  const monthIndex = months.indexOf(found['month']?.toLowerCase() ?? '');
  const year = found['year']?.length === 2 ? fullYear(part('year'), nowMs) : part('year');
  const date = new Date(0);
  date.setUTCFullYear(year, monthIndex, day);
  // 60 is a leap second. A day that does not exist moves the date into the next month.
  if (hour > 23 || minute > 59 || second > 60 || date.getUTCMonth() !== monthIndex) return undefined;
  return date.getTime() + ((hour * 60 + minute) * 60 + second) * 1000 - offsetMs(found['offset']);
}

/** A two-digit year that appears more than 50 years in the future is in the past (RFC 9110 5.6.7). */
function fullYear(lastDigits: number, nowMs: number): number {
  const thisYear = new Date(nowMs).getUTCFullYear();
  const year = thisYear - (thisYear % 100) + lastDigits;
  if (year > thisYear + 50) return year - 100;
  return year <= thisYear - 50 ? year + 100 : year;
}

function offsetMs(written: string | undefined): number {
  if (written === undefined) return 0;
  const minutes = Number(written.slice(1, 3)) * 60 + Number(written.slice(3));
  return (written.startsWith('-') ? -minutes : minutes) * 60_000;
}
