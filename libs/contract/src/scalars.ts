import { z } from 'zod';

/** AI platforms that are measured. */
export const platformIds = ['perplexity', 'chatgpt', 'gemini', 'claude', 'ai_overviews'] as const;
export const PlatformId = z.enum(platformIds).meta({ id: 'PlatformId' });
export type PlatformId = z.infer<typeof PlatformId>;

/** Markets scanned unless the operator configures others (ISO 3166-1 alpha-2). */
export const defaultMarkets: readonly string[] =
  'AR AT AU BE BR CA CH CL DE DK ES FI FR GB ID IN IT JP KR MX NL NO NZ PH PL PT SE US ZA'.split(' ');

export const Uuid = z.uuid();
/** No calendar of ours, nor Postgres, has a year 0. */
const fromYearOne = (written: string): boolean => !written.startsWith('0000');
const yearZero = { message: 'Invalid date: there is no year 0', params: { code: 'invalid_format' } };
/** Kept to the microsecond: the last half of one would be rounded into a year of five digits. */
const beforeYear10000 = (written: string): boolean => !/^9999-12-31T23:59:59\.9{6}[5-9]/.test(written);
const yearTenThousand = { message: 'Invalid date: after the year 9999', params: { code: 'invalid_format' } };

export const Timestamp = z.iso
  .datetime({ offset: false })
  .refine(fromYearOne, yearZero)
  .refine(beforeYear10000, yearTenThousand)
  .describe('ISO 8601 UTC date-time.');
export const CalendarDate = z.iso
  .date()
  .refine(fromYearOne, yearZero)
  .describe('Calendar date, YYYY-MM-DD (UTC).');

/** A path id: any case is accepted, lower case is used from here on. */
export const PathId = z.preprocess(
  (value) => (typeof value === 'string' ? value.toLowerCase() : value),
  Uuid,
);

/** Rates, scores and sentiment: 0 to 100, at most two decimals. */
export const Percent = z.number().min(0).max(100);

// oxlint-disable-next-line no-control-regex -- control characters are what this looks for
export const controlCharacter = /[\u0000-\u001f\u007f-\u009f]/;

// The same, as far as a JSON Schema can say it.
const withoutControl = '^[^\\u0000-\\u001f\\u007f-\\u009f]*$';
const readable = '^[^\\u0000]*$';

type TextOptions = {
  trim?: boolean;
  allowControl?: boolean;
  /** Control characters are looked for before trimming, which takes line feeds and tabs away. */
  controlAsSent?: boolean;
  maxBytes?: number;
  /** What is said of text that cannot be read, where that has a name of its own. */
  unreadable?: { message: string; params: { code: string } };
};

function refuseUnreadable(
  ctx: z.core.ParsePayload<string>,
  { allowControl, unreadable: named }: TextOptions,
): void {
  const { value } = ctx;
  const unreadable =
    value.includes('\u0000') ||
    !value.isWellFormed() ||
    (allowControl !== true && controlCharacter.test(value));
  if (!unreadable) return;
  if (named !== undefined) {
    ctx.issues.push({ code: 'custom', input: value, ...named });
    return;
  }
  ctx.issues.push({
    code: 'invalid_format',
    format: 'text',
    input: value,
    message: 'Invalid string: control characters and unpaired surrogates are not allowed',
  });
}

/**
 * A string of `min` to `max` characters. A character is a Unicode code point, as in JSON Schema.
 * NUL and lone surrogates are refused always: neither can be stored as UTF-8 text.
 */
export function text(min: number, max: number, options: TextOptions = {}) {
  const sent = options.controlAsSent
    ? z.string().check((ctx) => refuseUnreadable(ctx, { ...options, allowControl: false }))
    : z.string();
  const base = options.trim ? sent.trim() : sent;
  return base
    .check((ctx) => {
      const value = ctx.value;
      const input = value;
      // oxlint-disable-next-line typescript/no-misused-spread -- code points are what JSON Schema counts
      const length = [...value].length;
      if (length < min) {
        ctx.issues.push({ code: 'too_small', origin: 'string', minimum: min, inclusive: true, input });
      }
      if (length > max) {
        ctx.issues.push({ code: 'too_big', origin: 'string', maximum: max, inclusive: true, input });
      }
      if (options.maxBytes !== undefined && Buffer.byteLength(value) > options.maxBytes) {
        ctx.issues.push({
          code: 'too_big',
          origin: 'string',
          maximum: options.maxBytes,
          inclusive: true,
          input,
          message: `Too big: expected at most ${options.maxBytes} UTF-8 bytes`,
        });
      }
      if (!options.controlAsSent) refuseUnreadable(ctx, options);
    })
    .meta({ minLength: min, maxLength: max, pattern: options.allowControl ? readable : withoutControl });
}

const collapse = <T>(values: T[]): T[] => [...new Set(values)];

const CountryCode = z.string().regex(/^[A-Za-z]{2}$/, 'Invalid country: two letters are expected');

const CountryList = z.array(CountryCode).max(29);
const collapseCountries = (codes: string[]): string[] => collapse(codes.map((code) => code.toUpperCase()));

/** 1 to 29 two-letter market codes; upper case, duplicates collapsed. The service checks that each is a market. */
export const Countries = CountryList.min(1).transform(collapseCountries);

/** The same, where some generated clients send an empty list for none. */
export const CountriesOrNone = CountryList.transform(collapseCountries);

const PlatformList = z.array(PlatformId).max(platformIds.length);

/** 1 to 5 platform ids; duplicates collapsed. */
export const Platforms = PlatformList.min(1).transform(collapse);

/** The same, where some generated clients send an empty list for what they omit: it is read as omitted. */
export const PlatformsOrOmitted = PlatformList.transform((platforms) =>
  platforms.length === 0 ? undefined : collapse(platforms),
).optional();

/** At most 50 labels, each 1 to 100 characters and at most 256 UTF-8 bytes; duplicates collapsed. */
export const Tags = z
  .array(text(1, 100, { trim: true, maxBytes: 256 }))
  .max(50)
  .transform(collapse);

/** Text of a prompt: 1 to 500 characters after trimming. */
export const PromptText = text(1, 500, { trim: true, allowControl: true });

/** The identity of a prompt text: what two texts must share to be the same prompt. */
export function promptIdentity(promptText: string): string {
  // One step alone keeps pairs apart (ß/SS, final sigma); ẞ has no upper case but itself. Upper-casing would make
  // the i of ı, which Unicode's folding keeps apart: in Turkish they are two letters. Composed again afterwards: of
  // ΐ the upper case is three characters, which are composed to two where they come as they are.
  const fold = (text: string): string => text.toLowerCase().toUpperCase().toLowerCase();
  return promptText.trim().normalize('NFC').split('ı').map(fold).join('ı').normalize('NFC');
}

/** A count that is never negative. */
export const Count = z.int().min(0);
