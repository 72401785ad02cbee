type Rejection = { line: number; error: string };

/** Of one batch; lines count from its start. */
export type ImportOutcome = {
  imported: number;
  duplicates: number;
  skipped: number;
  rejected: Rejection[];
};

const maxRejections = 1_000;

/** The outcome of all batches so far. It counts every rejected line and keeps the details of the first ones. */
export class ImportTotal {
  imported = 0;
  duplicates = 0;
  skipped = 0;
  rejectedCount = 0;
  readonly rejected: Rejection[] = [];

  add({ imported, duplicates, skipped, rejected }: ImportOutcome, linesBefore: number): void {
    this.imported += imported;
    this.duplicates += duplicates;
    this.skipped += skipped;
    this.rejectedCount += rejected.length;
    for (const { line, error } of rejected.slice(0, maxRejections - this.rejected.length)) {
      this.rejected.push({ line: linesBefore + line, error });
    }
  }

  /** `more_rejected` only where details are missing. */
  toJson(): ImportOutcome & { more_rejected?: number } {
    const { imported, duplicates, skipped, rejected } = this;
    const more = this.rejectedCount - rejected.length;
    return { imported, duplicates, skipped, rejected, ...(more > 0 ? { more_rejected: more } : {}) };
  }
}
