/** A source whose name a search page may show at the end of a passage. */
export type ChipSource = { link?: string | null | undefined; source?: string | null | undefined };

/** Sources whose names are looked for at a passage's end; an overview has a dozen. */
export const maxChipSources = 100;
/** A chip, with its channel and count, is shorter than this. */
const maxChipLength = 300;
/** A colon after fewer words introduces a name ("Best overall: HubSpot"), not the block below. */
const minIntroductionWords = 10;

/** Scripts with full-width marks put no space after them. */
const sentenceEnd = /(?:[.!?…][)\]"'”’»]{0,3}\s{1,5}|[。！？．][」』）)\]”’]{0,3}\s{0,5})$/u;
const nameStart = /[\s。！？．」』）]/u;
/** Full stops inside a sentence: "Acme vs. Globex". */
const abbreviation =
  /(?<![\p{L}\p{N}.])(?:vs|e\.?g|i\.?e|incl|excl|cf|approx|ca|dr|mr|mrs|ms|prof|st|no|z\.\s?b|bzw|inkl|p\.\s?ej|par ex|bijv|bv|es|np|\p{Lu})\.\s{1,5}$/iu;
const colon = /[:：]\s{1,5}$/u;
const count = /\s{0,3}\+\d{1,3}\s{0,3}$/;
const channel = /^(?:\s?·\s?[^.!?\n]{1,80})?$/;

type ChipOptions = {
  names: readonly string[];
  /** Whether a block follows that a colon at the end introduces. */
  introduces?: boolean;
};

/**
 * Removes a chip from the end of a passage: the name of a source, with its channel and the number of further sources
 * ("PetMD +2", "YouTube·Buyers Guides +1"). Read as prose it is a mention that the text does not have. A bare name is a
 * chip only after a sentence's end: inside a sentence it belongs to the text ("the best choice is Gobble").
 */
export function stripChip(passage: string, { names, introduces = false }: ChipOptions): string {
  const from = Math.max(0, passage.length - maxChipLength);
  const end = passage.slice(from);
  const counted = count.exec(end);
  const uncounted = end.slice(0, counted?.index).trimEnd();
  for (const name of names) {
    const at = uncounted.lastIndexOf(name);
    if (at < 1 || !nameStart.test(uncounted.charAt(at - 1))) continue;
    const rest = uncounted.slice(at + name.length);
    if (!channel.test(rest)) continue;
    const before = passage.slice(0, from + at);
    const isChip =
      counted !== null || rest !== '' || endsSentence(before) || (introduces && isIntroduction(before));
    if (isChip) return before.trimEnd();
  }
  return passage;
}

/** Removes a counted chip whose source is not known, after the sentence's end. */
export function stripUnknownChip(passage: string): string {
  const from = Math.max(0, passage.length - maxChipLength);
  const end = passage.slice(from).replace(/(?<=[.!?:;)$”"])\s+[^.!?]{1,60}\s\+\d{1,3}$/u, '');
  return passage.slice(0, from) + end;
}

function endsSentence(before: string): boolean {
  const end = before.slice(-40);
  return sentenceEnd.test(end) && !abbreviation.test(end);
}

function isIntroduction(before: string): boolean {
  const end = before.slice(-maxChipLength);
  const sentence = end.slice(end.search(/[^.!?]*$/u));
  return colon.test(end) && sentence.trim().split(/\s+/u).length >= minIntroductionWords;
}

/** The forms in which a source's chip may name it. */
export function chipNames({ source, link }: ChipSource): string[] {
  const host = link && URL.canParse(link) ? new URL(link).hostname : '';
  const bare = host.replace(/^www\./, '');
  return [source?.trim() ?? '', bare && `www.${bare}`, bare].filter((name) => name !== '');
}
