export type OwedSettlements = {
  /** Tries at once; what fails is owed from then on, and the failure thrown. */
  settle(action: () => Promise<void>, ifItFails?: () => Promise<void>): Promise<void>;
  owe(action: () => Promise<void>): void;
  /** Pays what is owed, oldest first, up to the first that still fails. */
  pay(): Promise<void>;
};

/** What is beyond it waits for the end of its lease, as if its gateway had been killed. */
const maxOwed = 10_000;

/**
 * Claims that could not be settled because the database was away: without this a retry that comes once it is back
 * would be told that the first request still runs, until the lease ends. Nothing owed expires: a database that hung makes
 * a claim, and begins its lease, when it goes on, however long ago it was asked.
 */
export function createOwedSettlements(): OwedSettlements {
  const owed = new Set<() => Promise<void>>();
  const owe = (action: () => Promise<void>): void => {
    if (owed.size < maxOwed) owed.add(action);
  };
  return {
    owe,
    settle: async (action, ifItFails = action) => {
      try {
        await action();
      } catch (error) {
        owe(ifItFails);
        throw error;
      }
    },
    pay: async () => {
      for (const action of owed) {
        await action();
        owed.delete(action);
      }
    },
  };
}
