import { DriftKind, platformIds } from '@bv/contract';
import type { Metrics } from '@bv/telemetry';
import type { ReprocessQueue } from './db/reprocess-leases.ts';
import type { DriftedDay } from './domain/platform-drift.ts';

/** Metrics of this service in addition to those of requests, queries and events. */
export type ReprocessMetrics = {
  queue(queue: readonly ReprocessQueue[]): void;
  dayDone(day: { done: number; changed: number; durationMs: number }): void;
  attemptFailed(): void;
  jobRestarted(): void;
  jobEnded(status: 'completed' | 'failed'): void;
};

export function reprocessMetrics(metrics: Metrics): ReprocessMetrics {
  const jobs = metrics.gauge({
    name: 'bv_results_reprocess_jobs',
    help: 'Open reprocess jobs of all replicas, by status.',
    labelNames: ['status'],
  });
  const age = metrics.gauge({
    name: 'bv_results_reprocess_oldest_seconds',
    help: 'Longest time since an open reprocess job was queued, or since a running one completed a day.',
    labelNames: ['status'],
  });
  const units = metrics.counter({
    name: 'bv_results_reprocess_units_total',
    help: 'Units that were read again.',
  });
  const changes = metrics.counter({
    name: 'bv_results_reprocess_units_changed_total',
    help: 'Units read again whose results differ afterwards.',
  });
  const failures = metrics.counter({
    name: 'bv_results_reprocess_attempts_failed_total',
    help: 'Attempts of reprocess jobs that failed.',
  });
  const restarts = metrics.counter({
    name: 'bv_results_reprocess_restarts_total',
    help: 'Reprocess jobs that began again because their brand had changed.',
  });
  const ended = metrics.counter({
    name: 'bv_results_reprocess_jobs_ended_total',
    help: 'Reprocess jobs that ended, by status.',
    labelNames: ['status'],
  });
  const duration = metrics.histogram({
    name: 'bv_results_reprocess_day_seconds',
    help: 'Time to reprocess one day of a brand, pauses included.',
    buckets: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1_800],
  });
  // An alert cannot detect the increase of a series that starts at 1.
  for (const status of ['completed', 'failed'] as const) ended.inc({ status }, 0);
  return {
    queue: (queue) => {
      for (const status of ['queued', 'running'] as const) {
        const found = queue.find((each) => each.status === status);
        jobs.set({ status }, found?.jobs ?? 0);
        age.set({ status }, found?.oldest_s ?? 0);
      }
    },
    dayDone: ({ done, changed, durationMs }) => {
      units.inc(done);
      changes.inc(changed);
      duration.observe(durationMs / 1_000);
    },
    attemptFailed: () => failures.inc(),
    jobRestarted: () => restarts.inc(),
    jobEnded: (status) => ended.inc({ status }),
  };
}

/** Metrics of the retention: what is removed, how long batches hold their lock, and what waits. */
export type RetentionMetrics = {
  removed(kind: 'units' | 'texts', count: number): void;
  batch(heldMs: number): void;
  backlog(brands: number): void;
};

export function retentionMetrics(metrics: Metrics): RetentionMetrics {
  const removed = metrics.counter({
    name: 'bv_results_retention_removed_total',
    help: 'Units and answer texts that were removed because their retention has ended.',
    labelNames: ['kind'],
  });
  const held = metrics.histogram({
    name: 'bv_results_retention_batch_seconds',
    help: "Time for which a batch of the retention held the lock of a brand's change token.",
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
  });
  const backlog = metrics.gauge({
    name: 'bv_results_retention_backlog_brands',
    help: 'Brands with units or answer texts that are hidden and still have to be removed; 100,000 means at least that.',
  });
  for (const kind of ['units', 'texts'] as const) removed.inc({ kind }, 0);
  return {
    removed: (kind, count) => removed.inc({ kind }, count),
    batch: (heldMs) => held.observe(heldMs / 1_000),
    backlog: (brands) => backlog.set(brands),
  };
}

export type DriftMetrics = { drifted(days: readonly DriftedDay[]): void };

export function driftMetrics(metrics: Metrics): DriftMetrics {
  const gauge = metrics.gauge({
    name: 'bv_results_platform_drift',
    help: 'Whether the answers of a platform changed their shape on one of the last two days (UTC): 1 or 0.',
    labelNames: ['platform', 'kind'],
  });
  return {
    drifted: (days) => {
      for (const platform of platformIds) {
        for (const kind of DriftKind.options) {
          const found = days.some((day) => day.platform === platform && day.drift.includes(kind));
          gauge.set({ platform, kind }, found ? 1 : 0);
        }
      }
    },
  };
}
