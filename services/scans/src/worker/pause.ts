/** Waiting that something else can cut short. */
export type Pause = {
  wait(ms: number): Promise<void>;
  /** Ends the present wait, or the next one when nobody waits. */
  wake(): void;
};

export function createPause(): Pause {
  let woken = false;
  let end: (() => void) | undefined;
  return {
    wait: async (ms) => {
      if (!woken) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms);
          end = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      woken = false;
      end = undefined;
    },
    wake: () => {
      woken = true;
      end?.();
    },
  };
}
