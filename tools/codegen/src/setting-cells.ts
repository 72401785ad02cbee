import { z } from 'zod';

type Property = {
  type?: string;
  description?: string;
  default?: unknown;
  enum?: unknown[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  /** From the metadata: the type, where it is not that of the schema. */
  form?: string;
};

/** A setting in docs/configuration.md, as Markdown. */
export type SettingCells = { type: string; default: string; description: string };

const units: readonly [suffix: string, unit: string][] = [
  ['_MS', 'ms'],
  ['_BYTES', 'bytes'],
  ['_PERCENT', '%'],
  ['_DAYS', 'days'],
  ['_PER_MINUTE', 'per minute'],
  ['_PER_MILLION_TOKENS_USD', 'USD per million tokens'],
  ['_USD', 'USD'],
];

/** From its config schema: type with unit and allowed values, default and meaning. */
export function settingCells(field: z.ZodType, name: string): SettingCells {
  const property = z.toJSONSchema(field, { io: 'input', unrepresentable: 'any' }) as Property;
  const unset = field.safeParse(undefined);
  // The input of a flag is text.
  const isFlag = typeof unset.data === 'boolean';
  const unit = units.find(([suffix]) => name.endsWith(suffix))?.[1];
  const meta = field.meta() as { description?: string; form?: string; allowed?: string } | undefined;
  return {
    type: [meta?.form ?? property.form ?? typeOf(property, isFlag), unit, meta?.allowed ?? rangeOf(property)]
      .filter((part) => part !== undefined && part !== '')
      .join(', ')
      .replace(/^one of, /, 'one of '),
    default: unset.success ? defaultOf(isFlag ? unset.data : property.default, unit) : '**required**',
    // `.meta` may be on either side of a transform. The field itself has precedence.
    description: meta?.description ?? property.description ?? '',
  };
}

function typeOf(property: Property, isFlag: boolean): string {
  if (isFlag) return 'flag';
  if (property.enum !== undefined) return 'one of';
  const { type } = property;
  return type === 'string' || type === undefined ? 'text' : type;
}

function rangeOf(property: Property): string {
  if (property.enum !== undefined) return property.enum.map((value) => `\`${String(value)}\``).join(', ');
  const { minimum, maximum, minLength } = property;
  if (minLength !== undefined && minLength > 1) return `at least ${minLength} characters`;
  if (minimum === undefined || maximum === undefined)
    return minimum === undefined ? '' : `${minimum} or more`;
  return maximum === Number.MAX_SAFE_INTEGER ? `${minimum} or more` : `${minimum} to ${maximum}`;
}

function defaultOf(value: unknown, unit: string | undefined): string {
  if (value === undefined) return 'none';
  if (value === '') return 'empty';
  const text = `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``;
  return unit === 'ms' && typeof value === 'number' && value >= 60_000
    ? `${text} (${duration(value)})`
    : text;
}

const steps: readonly [ms: number, unit: string][] = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
];

/** In the largest unit that divides it. */
function duration(ms: number): string {
  const [step, unit] = steps.find(([each]) => ms % each === 0) ?? [1_000, 's'];
  return `${ms / step} ${unit}`;
}
