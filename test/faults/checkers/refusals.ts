/** A request that must be refused with one of the allowed responses. */
export type Refusal = {
  name: string;
  /** 0: closed without a response. */
  status: number;
  code: string | null;
  hasDetails?: boolean;
  allowed: readonly (readonly [number, string | null])[];
};

export function checkRefusals(refusals: readonly Refusal[]): string[] {
  return refusals.flatMap(({ name, status, code, hasDetails, allowed }) => {
    if (!allowed.some(([allowedStatus, allowedCode]) => status === allowedStatus && code === allowedCode)) {
      return [`${name}: returned ${status} ${code ?? ''}`];
    }
    return hasDetails === true ? [`${name}: the refusal has details`] : [];
  });
}
