/** Replaces what differs between two recordings, such as ids and days, and what must not be published. */
import { createHash } from 'node:crypto';

/** The day on which the examples take place. */
const exampleDay = '2026-11-21';
const exampleMonthEnd = '2026-12-01T00:00:00.000000Z';
const exampleUrl = 'https://hooks.example.com/brand-visibility';
/** The text "not a secret but an example" after the prefix. */
const exampleSecret = 'whsec_bm90IGEgc2VjcmV0IGJ1dCBhbiBleGFtcGxl';
const exampleKeyPrefix = 'bvk_live_7Yq';
const exampleKey = `${exampleKeyPrefix}aNotAKeyButAnExampleOfItsForm0000000000`;
const exampleMonth = '2026-11';
const exampleCursor = 'MDFKUUJBR05RUg';
const maxObjects = 2;
const maxValues = 5;

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;
const dayOrTime = /^\d{4}-\d{2}-\d{2}(?:T|$)/;
const msPerDay = 86_400_000;

function shiftDay(text: string, days: number): string {
  const day = new Date(Date.parse(text.slice(0, 10)) + days * msPerDay);
  return day.toISOString().slice(0, 10) + text.slice(10);
}

export type Recording = {
  today: string;
  /** The example id of each recorded id that has one. */
  ids: ReadonlyMap<string, string>;
};

/** Returns a function that makes values stable. A further id depends on the number of ids before it in the example. */
export function createStabiliser({ today, ids }: Recording) {
  const days = (Date.parse(exampleDay) - Date.parse(today)) / msPerDay;
  return (operationId: string, example: unknown): unknown => {
    const further = new Map<string, string>();
    const stabiliseId = (id: string): string => {
      const known = ids.get(id) ?? further.get(id);
      if (known !== undefined) return known;
      const hash = createHash('sha256').update(`${operationId} ${further.size}`).digest('hex');
      const next = hash.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-4$3-8$4-$5');
      further.set(id, next);
      return next;
    };
    const stabiliseText = (text: string, key: string): string => {
      if (key === 'secret') return exampleSecret;
      if (key === 'next_cursor') return exampleCursor;
      if (key === 'key_prefix') return exampleKeyPrefix;
      if (key === 'key' && text.startsWith('bvk_')) return exampleKey;
      if (key === 'month') return exampleMonth;
      if (key === 'resets_at') return exampleMonthEnd;
      if (text.startsWith('http://127.0.0.1:')) return exampleUrl;
      if (uuid.test(text)) return stabiliseId(text);
      // The days of the versions of the method are the same in every recording.
      return dayOrTime.test(text) && key !== 'since' ? shiftDay(text, days) : text;
    };
    const stabilise = (value: unknown, key: string): unknown => {
      if (typeof value === 'string') return stabiliseText(value, key);
      if (Array.isArray(value)) {
        const count = value.some((each) => typeof each === 'object') ? maxObjects : maxValues;
        return value.slice(0, count).map((each) => stabilise(each, key));
      }
      if (typeof value !== 'object' || value === null) return value;
      return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, stabilise(each, name)]));
    };
    return stabilise(example, '');
  };
}
