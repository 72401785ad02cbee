import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';

export type FingerprintedRequest = {
  method: string;
  /** Path with query, ids in lower case. */
  path: string;
  body: { raw: Buffer; json: unknown };
};

/** SHA-256 that identifies a request under an idempotency key. The order of JSON members does not matter. */
export function fingerprint({ method, path, body }: FingerprintedRequest): Buffer {
  const hash = createHash('sha256').update(`${method} ${path}\n`);
  if (body.raw.length === 0) return hash.update('no body').digest();
  return hash.update('json ').update(canonical(body)).digest();
}

function canonical({ raw, json }: { raw: Buffer; json: unknown }): string | Buffer {
  try {
    return canonicalize(json) ?? raw;
  } catch {
    // RFC 8785 defines no form for unpaired surrogates or 1e999, so the bytes as sent are hashed.
    return raw;
  }
}
