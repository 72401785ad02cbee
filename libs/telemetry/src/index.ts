export { createLogger, traceIds } from './logger.ts';
export { writeLines } from './write-lines.ts';
export type { Line } from './write-lines.ts';
export type { Logger, LoggerOptions } from './logger.ts';
export { createMetrics } from './metrics.ts';
export type { Metrics } from './metrics.ts';
export { startMonitoring } from './monitoring.ts';
export type { Monitoring, MonitoringOptions } from './monitoring.ts';
export { extractTraceContext, inTrace, injectTraceContext, untraced, withSpan } from './tracing.ts';
