/** What the lifecycle needs of a logger; a pino logger fits. */
export type LifecycleLog = Record<'info' | 'warn' | 'error', (fields: object, message: string) => void>;

export type CloseStep = { name: string; close: () => unknown };

const reserveMs = 500;

/**
 * Closes one step after the other, last opened first. A step that hangs is given up so early that each step
 * after it still has a reserve of its own. Takes the steps off the list, so that what a start still in progress
 * registers meanwhile is closed as well. Returns the names of the steps that failed or hung.
 */
export async function closeInReverse(
  steps: CloseStep[],
  budgetMs: number,
  log: LifecycleLog,
): Promise<string[]> {
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
  const timeout = new Promise<'hung'>((resolve) => {
    timer = setTimeout(resolve, timeoutMs, 'hung');
  });
  try {
    const outcome = await Promise.race([Promise.resolve().then(close), timeout]);
    if (outcome === 'hung') {
      log.error({ step: name, durationMs: durationMs() }, 'close step hangs: going on without it');
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
