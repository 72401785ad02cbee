import { z } from 'zod';

type Context = { zodSchema: z.core.$ZodType; jsonSchema: { examples?: unknown; default?: unknown } };

/** zod drops defaults and examples of schemas that transform their input, although they are those of the input. */
export function keepInputMeta({ zodSchema, jsonSchema }: Context): void {
  const { examples, default: fallback } = z.globalRegistry.get(zodSchema) ?? {};
  const { def } = zodSchema._zod;
  if (examples !== undefined) jsonSchema.examples ??= examples;
  if (fallback !== undefined) jsonSchema.default ??= fallback;
  if (def.type === 'default') {
    jsonSchema.default ??= (def as z.core.$ZodDefaultDef).defaultValue;
  }
}
