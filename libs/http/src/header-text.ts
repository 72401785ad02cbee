const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Node reads the bytes of a header as Latin-1; what was sent as UTF-8 is read as that. */
export function headerText(value: string): string {
  try {
    return decoder.decode(Buffer.from(value, 'latin1'));
  } catch {
    return value;
  }
}
