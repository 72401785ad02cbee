export { createGenAi } from './gen-ai.ts';
export type { GenAi, GenAiCall, GenAiReply } from './gen-ai.ts';
export { createLogger, traceIds, writeLines } from './logger.ts';
export type { Line, Logger, LoggerOptions } from './logger.ts';
export { createMetrics } from './metrics.ts';
export type { Metrics } from './metrics.ts';
export { startMonitoring } from './monitoring.ts';
export type { Monitoring, MonitoringOptions } from './monitoring.ts';
export { extractTraceContext, inTrace, injectTraceContext, untraced, withSpan } from './tracing.ts';
