export { monitoringPage } from './alert-table.ts';
export { dashboards } from './dashboards.ts';
export { chartReadme } from './readme.ts';
export { valuesSchema } from './schema.ts';
