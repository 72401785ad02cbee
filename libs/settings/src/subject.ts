import type { z } from 'zod';

/** Puts settings under one heading of docs/configuration.md. */
export function subject<Fields extends Record<string, z.ZodType>>(title: string, fields: Fields): Fields {
  const entries = Object.entries(fields).map(([name, field]) => [name, field.meta({ subject: title })]);
  return Object.fromEntries(entries) as Fields;
}

/** The subject of settings that an installation leaves alone. It comes last in the page. */
export const developmentSubject = 'Tests and development';
