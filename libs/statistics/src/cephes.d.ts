/** The package has declarations that its `exports` do not name. */
declare module 'cephes' {
  /** Settles once the WebAssembly of the package is compiled. No function works before. */
  export const compiled: Promise<void>;
  /** The quantile of Student's t distribution with `k` degrees of freedom, an integer. */
  export function stdtri(k: number, p: number): number;
  /** The distribution function of the standard normal distribution. */
  export function ndtr(x: number): number;
  /** The regularised incomplete beta function. */
  export function incbet(a: number, b: number, x: number): number;
  /** The inverse of `incbet`: the quantile of the beta distribution. */
  export function incbi(a: number, b: number, p: number): number;
  /** The logarithm of the gamma function. */
  export function lgam(x: number): number;
}
