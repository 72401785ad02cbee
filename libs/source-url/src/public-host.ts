import { parse } from 'tldts';

/** Whether a text is exactly the name of a host under a known suffix. */
export function isPublicHost(text: string): boolean {
  if (!/^[\p{L}\p{N}][\p{L}\p{N}.-]*\.[\p{L}\p{N}-]+$/u.test(text)) return false;
  const parsed = parse(text, { allowPrivateDomains: true });
  // Public suffixes are hosts too (carrd.co, gov.uk).
  return parsed.isIcann === true || parsed.isPrivate === true;
}
