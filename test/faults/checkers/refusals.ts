/** Something that must be refused in one of the ways named, and never answered with a 5xx. */
export type Refusal = {
  name: string;
  /** 0: closed without an answer. */
  status: number;
  code: string | null;
  hasDetails?: boolean;
  allowed: readonly (readonly [number, string | null])[];
};

export function checkRefusals(refusals: readonly Refusal[]): string[] {
  return refusals.flatMap(({ name, status, code, hasDetails, allowed }) => {
    if (!allowed.some(([allowedStatus, allowedCode]) => status === allowedStatus && code === allowedCode)) {
      return [`${name}: answered ${status} ${code ?? ''}`];
    }
    return hasDetails === true ? [`${name}: its details tell something`] : [];
  });
}
