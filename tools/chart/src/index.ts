export { dashboards } from './dashboards.ts';
export { valuesSchema } from './schema.ts';
