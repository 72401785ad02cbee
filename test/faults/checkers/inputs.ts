/** One hostile value in one place of a request. Status 0: no response came. */
export type Input = {
  name: string;
  status: number;
  code: string | null;
  ms: number;
  /** PostgreSQL or UTF-8 cannot represent the value. A service that accepts it has stored another value. */
  unstorable: boolean;
  /** The only correct responses, where not every refusal is one. */
  allowed?: readonly (readonly [number, string | null])[];
};

const limitMs = 3_000;

export function checkInputs(inputs: readonly Input[]): string[] {
  return inputs.flatMap(({ name, status, code, ms, unstorable, allowed }) => {
    if (status === 0) return [`${name}: no response`];
    if (status >= 500) return [`${name}: ${status} ${code ?? ''}`];
    if (allowed !== undefined && !allowed.some((one) => one[0] === status && one[1] === code)) {
      return [`${name}: returned ${status} ${code ?? ''}`];
    }
    if (unstorable && status < 300) return [`${name}: accepted`];
    return ms > limitMs ? [`${name}: took ${ms.toFixed(0)} ms`] : [];
  });
}
