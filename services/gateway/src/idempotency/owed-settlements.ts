export type OwedSettlements = {
  /** Tries at once; what fails is owed for the claim from then on, and the failure thrown. */
  settle(claimId: string, action: () => Promise<void>, ifItFails?: () => Promise<void>): Promise<void>;
  owe(claimId: string, action: () => Promise<void>): void;
  /** Pays what is owed, oldest first, up to the first that still fails. */
  pay(): Promise<void>;
  /** Pays what is owed for one claim; false where nothing is. */
  payFor(claimId: string): Promise<boolean>;
};

/** What is beyond it waits for the end of its lease, as if its gateway had been killed. */
const maxOwed = 10_000;

/**
 * Claims that could not be settled because the database was away: without this a retry that comes once it is back
 * would be told that the first request still runs, until the lease ends. Nothing owed expires: a database that hung makes
 * a claim, and begins its lease, when it goes on, however long ago it was asked.
 */
export function createOwedSettlements(): OwedSettlements {
  const owed = new Map<string, () => Promise<void>>();
  const owe = (claimId: string, action: () => Promise<void>): void => {
    if (owed.size < maxOwed) owed.set(claimId, action);
  };
  const payFor = async (claimId: string): Promise<boolean> => {
    const action = owed.get(claimId);
    if (action === undefined) return false;
    await action();
    owed.delete(claimId);
    return true;
  };
  return {
    owe,
    settle: async (claimId, action, ifItFails = action) => {
      try {
        await action();
      } catch (error) {
        owe(claimId, ifItFails);
        throw error;
      }
    },
    pay: async () => {
      for (const claimId of owed.keys()) await payFor(claimId);
    },
    payFor,
  };
}
