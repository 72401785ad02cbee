import { setTimeout as sleep } from 'node:timers/promises';

/** The part of a pino logger that the lifecycle uses. */
export type LifecycleLog = Record<'info' | 'warn' | 'error', (fields: object, message: string) => void>;

export type LifecycleOptions = {
  log: LifecycleLog;
  /** How long the service continues to serve after it became not ready, until load balancers notice. */
  drainMs: number;
  /** Maximum time of the stop after the drain. Then the process exits by force. */
  forceAfterMs?: number;
};

export type StopSignal = 'SIGTERM' | 'SIGINT';
export type StopOutcome = 'clean' | 'failed';

const signalNumbers: Record<StopSignal, number> = { SIGINT: 2, SIGTERM: 15 };
const maxLingerMs = 2_000;

/** Start and stop order of one process: readiness, drain, close steps in reverse, exit. */
export class Lifecycle {
  readonly #log: LifecycleLog;
  readonly #drainMs: number;
  readonly #closeMs: number;
  /** Time for the event loop to empty after everything is closed, so that buffered spans are sent. */
  readonly #lingerMs: number;
  readonly #steps: CloseStep[] = [];
  readonly #stopping = new AbortController();
  #ready = false;
  #stopped: Promise<StopOutcome> | undefined;

  constructor({ log, drainMs, forceAfterMs = 10_000 }: LifecycleOptions) {
    this.#log = log;
    this.#drainMs = drainMs;
    this.#lingerMs = Math.min(maxLingerMs, forceAfterMs / 5);
    this.#closeMs = forceAfterMs - this.#lingerMs;
  }

  /** Aborted when a stop begins. Background loops take no new work. Requests are still served during the drain. */
  get signal(): AbortSignal {
    return this.#stopping.signal;
  }

  ready(): boolean {
    return this.#ready && !this.signal.aborted;
  }

  /** Call when everything is started. It has no effect after a stop has begun. */
  setReady(): void {
    this.#ready = true;
  }

  /** Registers a close step. Call it right after opening, since steps run in reverse order. */
  onStop(name: string, close: () => unknown): void {
    this.#steps.push({ name, close });
  }

  /** Runs the start. Ignores its error if a stop began in the meantime and caused it. */
  async start(begin: () => Promise<unknown>): Promise<void> {
    try {
      await begin();
    } catch (error) {
      if (!this.signal.aborted) throw error;
    }
  }

  /** Stops once, however often it is called. Never rejects. Ends within the drain time and the force deadline. */
  async stop(reason: string): Promise<void> {
    await this.#stopOnce(reason, this.#drainMs);
  }

  /**
   * SIGTERM and SIGINT stop the process in order. A second signal exits at once. An uncaught error stops the process
   * without a drain, because its state may be corrupt.
   */
  handleSignals(): void {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => this.#onSignal(signal));
    process.on('uncaughtException', (error) => this.#onFatal('uncaughtException', error));
    process.on('unhandledRejection', (error) => this.#onFatal('unhandledRejection', error));
  }

  #stopOnce(reason: string, drainMs: number): Promise<StopOutcome> {
    this.#stopped ??= this.#runStop(reason, drainMs);
    return this.#stopped;
  }

  async #runStop(reason: string, drainMs: number): Promise<StopOutcome> {
    const drain = this.#ready ? drainMs : 0;
    this.#log.info({ reason, drainMs: drain }, 'stopping');
    this.#stopping.abort(new Error(`stopping: ${reason}`));
    if (drain > 0) await sleep(drain);
    const failed = await closeInReverse(this.#steps, this.#closeMs, this.#log);
    this.#log.info({ reason, failed }, 'stopped');
    return failed.length === 0 ? 'clean' : 'failed';
  }

  #onSignal(signal: StopSignal): void {
    if (this.#stopped) {
      this.#log.warn({ signal }, 'second signal: exiting at once');
      process.exit(128 + signalNumbers[signal]);
    }
    void this.#stopOnce(signal, this.#drainMs).then((outcome) => this.#exit(outcome));
  }

  #onFatal(kind: string, error: unknown): void {
    this.#log.error({ err: error }, kind);
    process.exitCode = 1;
    if (this.#stopped) return;
    void this.#stopOnce(kind, 0).then(() => this.#exit('failed'));
  }

  #exit(outcome: StopOutcome): void {
    process.exitCode = outcome === 'failed' ? 1 : (process.exitCode ?? 0);
    setTimeout(() => {
      this.#log.warn({ open: process.getActiveResourcesInfo() }, 'something is still open: exiting');
      process.exit();
    }, this.#lingerMs).unref();
  }
}

export function createLifecycle(options: LifecycleOptions): Lifecycle {
  return new Lifecycle(options);
}

type CloseStep = { name: string; close: () => unknown };

const reserveMs = 500;

/**
 * Closes one step after the other, last opened first. A step that hangs times out early enough to leave a reserve for
 * each step after it. Steps are removed from the list, so that steps a start registers in the meantime are closed too.
 * Returns the names of the steps that failed or timed out.
 */
async function closeInReverse(steps: CloseStep[], budgetMs: number, log: LifecycleLog): Promise<string[]> {
  const deadline = performance.now() + budgetMs;
  const reserve = Math.min(reserveMs, budgetMs / (steps.length + 1));
  const failed: string[] = [];
  for (let step = steps.pop(); step; step = steps.pop()) {
    const timeoutMs = Math.max(reserve, deadline - performance.now() - reserve * steps.length);
    const closed = await closeStep(step, timeoutMs, log);
    if (!closed) failed.push(step.name);
  }
  return failed;
}

async function closeStep({ name, close }: CloseStep, timeoutMs: number, log: LifecycleLog): Promise<boolean> {
  const start = performance.now();
  const durationMs = () => Math.round(performance.now() - start);
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<'timed out'>((resolve) => {
    timer = setTimeout(resolve, timeoutMs, 'timed out');
  });
  try {
    const outcome = await Promise.race([Promise.resolve().then(close), timeout]);
    if (outcome === 'timed out') {
      log.error({ step: name, durationMs: durationMs() }, 'close step timed out: continuing without it');
      return false;
    }
    log.info({ step: name, durationMs: durationMs() }, 'closed');
    return true;
  } catch (error) {
    log.error({ step: name, err: error }, 'close step failed');
    return false;
  } finally {
    clearTimeout(timer);
  }
}
