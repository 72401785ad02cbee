/** The package has no types. */
declare module 'openapi-to-postmanv2' {
  export type Conversion = { reason?: string; output?: { data: unknown }[] };
  export function convertV2(
    source: { type: 'json'; data: object },
    options: Record<string, unknown>,
    done: (error: Error | null, conversion?: Conversion) => void,
  ): void;
}
