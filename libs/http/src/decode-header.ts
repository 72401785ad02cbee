const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Decodes a header value as UTF-8. Node reads its bytes as Latin-1; a value that is not UTF-8 stays as it is. */
export function decodeHeader(value: string): string {
  try {
    return decoder.decode(Buffer.from(value, 'latin1'));
  } catch {
    return value;
  }
}
