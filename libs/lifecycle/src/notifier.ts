/** A wait that another part of the process can end early. */
export type Notifier = {
  wait(ms: number): Promise<void>;
  /** Ends the current wait, or the next one if there is none. */
  wake(): void;
};

export function createNotifier(): Notifier {
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
