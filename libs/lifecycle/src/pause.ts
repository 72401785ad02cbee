/** Waiting that something else can cut short. */
export type Pause = {
  wait(ms: number): Promise<void>;
  /** Ends the current wait, or the next one when there is none. */
  wake(): void;
};

export function createPause(): Pause {
  let woken = false;
  let end: (() => void) | undefined;
  return {
    wait: (ms) => {
      if (woken) {
        woken = false;
        return Promise.resolve();
      }
      return new Promise((resolve) => {
        const timer = setTimeout(finish, ms);
        end = finish;
        function finish(): void {
          clearTimeout(timer);
          end = undefined;
          resolve();
        }
      });
    },
    wake: () => {
      if (end) end();
      else woken = true;
    },
  };
}
