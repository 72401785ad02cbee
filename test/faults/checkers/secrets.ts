export type Secret = { name: string; value: string };

/** A part of a secret of this length counts as a leak. */
const minLeakLength = 16;

/**
 * Returns every secret that a log contains: verbatim, in base64, percent-encoded, or a long part of it.
 * The first 12 characters of a key are public.
 */
export function checkSecrets(logs: ReadonlyMap<string, string>, secrets: readonly Secret[]): string[] {
  const violations: string[] = [];
  for (const [log, text] of logs) {
    for (const { name, value } of secrets) {
      const shown = encodeForms(value).find((form) => text.includes(form));
      if (shown === undefined) continue;
      const line = text.slice(0, text.indexOf(shown)).split('\n').length;
      violations.push(`${log} line ${line} shows ${name}`);
    }
  }
  return violations;
}

function encodeForms(value: string): string[] {
  const pieces =
    value.length < 2 * minLeakLength
      ? [value]
      : [value.slice(12, 12 + minLeakLength), value.slice(-minLeakLength)];
  const forms = pieces.flatMap((piece) => [
    piece,
    encodeURIComponent(piece),
    JSON.stringify(piece).slice(1, -1),
  ]);
  // The base64 text depends on the offset of the secret modulo 3.
  const encoded = [0, 1, 2].map((skip) => {
    const whole = Buffer.from(value.slice(skip)).toString('base64').replace(/=+$/, '');
    return whole.slice(0, -2);
  });
  return [...forms, ...encoded].filter((form) => form.length >= 12);
}
