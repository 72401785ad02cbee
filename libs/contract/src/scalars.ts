import { z } from 'zod';

/** The measured AI platforms. */
export const platformIds = ['perplexity', 'chatgpt', 'gemini', 'claude', 'ai_overviews'] as const;
export const PlatformId = z.enum(platformIds).meta({ id: 'PlatformId' });
export type PlatformId = z.infer<typeof PlatformId>;

/** Markets scanned unless the operator configures others (ISO 3166-1 alpha-2). */
export const defaultMarkets: readonly string[] =
  'AR AT AU BE BR CA CH CL DE DK ES FI FR GB ID IN IT JP KR MX NL NO NZ PH PL PT SE US ZA'.split(' ');

export const Uuid = z.uuid();
/** Neither the Gregorian calendar nor Postgres has a year 0. */
const fromYearOne = (written: string): boolean => !written.startsWith('0000');
const yearZero = { message: 'Invalid date: there is no year 0', params: { code: 'invalid_format' } };
/** Timestamps are rounded to microseconds. Later times would be rounded up to the year 10000. */
const beforeYear10000 = (written: string): boolean => !/^9999-12-31T23:59:59\.9{6}[5-9]/.test(written);
const yearTenThousand = { message: 'Invalid date: after the year 9999', params: { code: 'invalid_format' } };

export const Timestamp = z.iso
  .datetime({ offset: false })
  .refine(fromYearOne, yearZero)
  .refine(beforeYear10000, yearTenThousand);
export const CalendarDate = z.iso.date().refine(fromYearOne, yearZero);

/** A path id. Upper case is accepted and converted to lower case. */
export const PathId = z.preprocess(
  (value) => (typeof value === 'string' ? value.toLowerCase() : value),
  Uuid,
);

/** Rates, scores and sentiment: 0 to 100, at most two decimals. */
export const Percent = z.number().min(0).max(100);

// oxlint-disable-next-line no-control-regex -- the pattern matches control characters
export const controlCharacter = /[\u0000-\u001f\u007f-\u009f]/;

// The same rule as a pattern of a JSON Schema.
const withoutControl = '^[^\\u0000-\\u001f\\u007f-\\u009f]*$';
const readable = '^[^\\u0000]*$';

type TextOptions = {
  trim?: boolean;
  allowControl?: boolean;
  /** Check for control characters before trimming, which would remove line feeds and tabs. */
  controlAsSent?: boolean;
  maxBytes?: number;
  /** Whether at least one character must be visible. */
  visible?: boolean;
  /** Replaces the default error for unreadable text. */
  unreadable?: { message: string; params: { code: string } };
};

/** Spaces, and characters without a width such as joiners, variation selectors and fillers. */
const withoutVisible = /^[\p{Default_Ignorable_Code_Point}\p{Z}\p{Cf}\u2800]+$/u;

function checkReadableText(
  ctx: z.core.ParsePayload<string>,
  { allowControl, unreadable: customError }: TextOptions,
): void {
  const { value } = ctx;
  const unreadable =
    value.includes('\u0000') ||
    !value.isWellFormed() ||
    (allowControl !== true && controlCharacter.test(value));
  if (!unreadable) return;
  if (customError !== undefined) {
    ctx.issues.push({ code: 'custom', input: value, ...customError });
    return;
  }
  const message = 'Invalid string: control characters and unpaired surrogates are not allowed';
  ctx.issues.push({ code: 'invalid_format', format: 'text', input: value, message });
}

/**
 * A string of `min` to `max` characters. A character is a Unicode code point, as in JSON Schema.
 * NUL and lone surrogates are always rejected, because they cannot be stored as UTF-8 text.
 */
export function text(min: number, max: number, options: TextOptions = {}) {
  const sent = options.controlAsSent
    ? z.string().check((ctx) => checkReadableText(ctx, { ...options, allowControl: false }))
    : z.string();
  const base = options.trim ? sent.trim() : sent;
  return base
    .check((ctx) => {
      const value = ctx.value;
      const input = value;
      // oxlint-disable-next-line typescript/no-misused-spread -- JSON Schema counts code points
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
      if (options.visible && withoutVisible.test(value)) {
        const message = 'Invalid string: at least one visible character is required';
        ctx.issues.push({ code: 'invalid_format', format: 'text', input, message });
      }
      if (!options.controlAsSent) checkReadableText(ctx, options);
    })
    .meta({ minLength: min, maxLength: max, pattern: options.allowControl ? readable : withoutControl });
}

const collapse = <T>(values: T[]): T[] => [...new Set(values)];

const CountryCode = z.string().regex(/^[A-Za-z]{2}$/, 'Invalid country: two letters are expected');

const CountryList = z.array(CountryCode).max(29);
const collapseCountries = (codes: string[]): string[] => collapse(codes.map((code) => code.toUpperCase()));

/** 1 to 29 two-letter market codes in upper case without duplicates. The service checks that each is a market. */
export const Countries = CountryList.min(1).transform(collapseCountries);

/** The same, or an empty list, which some generated clients send for none. */
export const CountriesOrNone = CountryList.transform(collapseCountries);

const PlatformList = z.array(PlatformId).max(platformIds.length);

/** 1 to 5 platform ids without duplicates. */
export const Platforms = PlatformList.min(1).transform(collapse);

/** The same, or an empty list, which counts as omitted because some generated clients send it. */
export const PlatformsOrOmitted = PlatformList.transform((platforms) =>
  platforms.length === 0 ? undefined : collapse(platforms),
).optional();

/** At most 50 labels without duplicates, each 1 to 100 characters and at most 256 UTF-8 bytes. */
export const Tags = z
  .array(text(1, 100, { trim: true, maxBytes: 256 }))
  .max(50)
  .transform(collapse);

/** Text of a prompt: 1 to 500 characters after trimming. */
export const PromptText = text(1, 500, { trim: true, allowControl: true });

/** The normalised form of a prompt text. Texts with the same form are the same prompt. */
export function promptIdentity(promptText: string): string {
  // One case conversion is not enough for ß and SS, final sigma and ẞ. The Turkish ı is kept: Unicode case folding
  // distinguishes it from i, but upper case does not. NFC again at the end: the upper case of ΐ is three characters,
  // which NFC composes to two if they are sent.
  const fold = (text: string): string => text.toLowerCase().toUpperCase().toLowerCase();
  return promptText.trim().normalize('NFC').split('ı').map(fold).join('ı').normalize('NFC');
}

/** A count that is never negative. */
export const Count = z.int().min(0);
