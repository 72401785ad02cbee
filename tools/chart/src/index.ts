export { monitoringPage } from './alert-table.ts';
export { dashboards } from './dashboards.ts';
export { valuesSchema } from './schema.ts';
