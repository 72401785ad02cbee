/** One hostile value in one place of a request. */
export type Input = {
  name: string;
  status: number;
  code: string | null;
  ms: number;
  /** Neither PostgreSQL nor UTF-8 has it, so accepting it means that something else was stored. */
  unstorable: boolean;
  /** When only these answers are right. */
  allowed?: readonly (readonly [number, string | null])[];
};

const limitMs = 3_000;

export function checkInputs(inputs: readonly Input[]): string[] {
  return inputs.flatMap(({ name, status, code, ms, unstorable, allowed }) => {
    if (status === 0) return [`${name}: no answer`];
    if (status >= 500) return [`${name}: ${status} ${code ?? ''}`];
    if (allowed !== undefined && !allowed.some((one) => one[0] === status && one[1] === code)) {
      return [`${name}: answered ${status} ${code ?? ''}`];
    }
    if (unstorable && status < 300) return [`${name}: accepted`];
    return ms > limitMs ? [`${name}: took ${ms.toFixed(0)} ms`] : [];
  });
}
