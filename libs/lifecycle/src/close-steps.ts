/** The part of a pino logger that the lifecycle uses. */
export type LifecycleLog = Record<'info' | 'warn' | 'error', (fields: object, message: string) => void>;

export type CloseStep = { name: string; close: () => unknown };

const reserveMs = 500;

/**
 * Closes one step after the other, last opened first. A step that hangs times out early enough to leave a reserve for
 * each step after it. Steps are removed from the list, so that steps a start registers in the meantime are closed too.
 * Returns the names of the steps that failed or timed out.
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
