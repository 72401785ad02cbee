/** The ways to write a name that need no alias. The name itself is the first. */
export function nameVariants(name: string): string[] {
  const joined = name.replace(/\s?&\s?/g, '&');
  return [
    name,
    // A name is the same without its apostrophe ("McDonalds") or exclamation mark ("Yahoo"). The reverse is not true:
    // "she'll" would match Shell.
    name.replace(/['’`]/g, ''),
    name.replace(/(?<![!?.])[!?.]+$/, ''),
    // "H & M" is H&M, and vice versa.
    joined,
    joined.replaceAll('&', ' & '),
  ];
}
