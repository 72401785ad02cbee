/** A source whose name a search page may show at the end of a passage. */
export type ChipSource = { link?: string | null | undefined; source?: string | null | undefined };

/** Maximum of source names to search at a passage's end; an overview has a dozen. */
export const maxChipSources = 100;
/** Maximum length of a chip with its channel and count. */
const maxChipLength = 300;
/** A colon after fewer words introduces a name ("Best overall: HubSpot"), not the block below. */
const minIntroductionWords = 10;

/** Before a name without a count: "Winner. HubSpot" is a label and a brand. */
const minPassageWords = 3;
/** Before a channel that no full stop precedes. */
const minWordsBeforeChannel = 6;

const nameStart = /[\s。！？．।」』）]/u;
const colon = /[:：]\s{1,5}$/u;
const count = /\s{0,3}\+\d{1,3}\s{0,3}$/;
/** "YouTube · Buyers Guides"; a price ("HubSpot · from $15") is not a channel. */
const channel = /^(?:\s?·\s?[^.!?$€£¥\n]{1,80})?$/;
const channelName = /^\s?·\s?(?:@|[ru]\/|[\p{Lu}\p{Lo}])/u;
/** Sites whose chips name a channel, an account or a group. */
const channelSites = new Set(
  'youtube facebook instagram reddit tiktok linkedin quora pinterest medium vimeo threads twitter x spotify'.split(
    ' ',
  ),
);
const listMark = /[:：,;·|(–—-]\s{0,5}$/u;

type ChipOptions = {
  names: readonly string[];
  /** Whether a block follows that a colon at the end introduces. */
  introduces?: boolean;
};

/**
 * Removes a chip from the end of a passage: "PetMD +2", "YouTube·Buyers Guides +1". A chip is the name of a source, with
 * its channel and the number of further sources. As prose it would be a false mention. A bare name is a chip only after
 * the end of a sentence: inside a sentence it is text ("the best choice is Gobble"). In doubt the name stays, because a
 * removed brand loses a mention.
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
      counted === null
        ? followsSentence(before) ||
          namesChannel(before, name, rest) ||
          (introduces && isIntroduction(before))
        : hasWords(before, 1);
    if (isChip) return before.trimEnd();
  }
  return passage;
}

/** Removes a chip with a count whose source is not listed, after the end of a sentence. */
export function stripUnknownChip(passage: string): string {
  const from = Math.max(0, passage.length - maxChipLength);
  const end = passage.slice(from).replace(/(?<=[.!?:;)$”"])\s+[^.!?,;]{1,60}\s\+\d{1,3}$/u, '');
  return hasWords(passage.slice(0, from) + end, 1) ? passage.slice(0, from) + end : passage;
}

/** Scripts without spaces have sentences of one word. */
function followsSentence(before: string): boolean {
  return endsSentence(before) && (/[。！．]/u.test(before.slice(-8)) || hasWords(before, minPassageWords));
}

function namesChannel(before: string, name: string, rest: string): boolean {
  const site = name.toLowerCase().replace(/^www\.|\.com$/g, '');
  return (
    channelSites.has(site) &&
    channelName.test(rest) &&
    !listMark.test(before) &&
    hasWords(before, minWordsBeforeChannel)
  );
}

function hasWords(text: string, minimum: number): boolean {
  const words = text.slice(-maxChipLength).split(/\s+/u);
  return words.filter((word) => /\p{L}/u.test(word)).length >= minimum;
}

function isIntroduction(before: string): boolean {
  const end = before.slice(-maxChipLength);
  const sentence = end.slice(Math.max(...['.', '!', '?'].map((mark) => end.lastIndexOf(mark))) + 1);
  return colon.test(end) && sentence.trim().split(/\s+/u).length >= minIntroductionWords;
}

/** The forms in which a source's chip may name it. */
export function chipNames({ source, link }: ChipSource): string[] {
  const host = link && URL.canParse(link) ? new URL(link).hostname : '';
  const bare = host.replace(/^www\./, '');
  return [source?.trim() ?? '', bare && `www.${bare}`, bare].filter((name) => name !== '');
}

/** "!" ends a sentence like a full stop. After "?" and "…" a name may be the reply ("Which CRM is best? HubSpot"). */
const spaced = /(?<word>\S{0,40})[.!][)\]"'”’»]{0,3}\s{1,5}$/u;
/** Scripts with full-width punctuation have no space after it. */
const unspaced = /[。！．।][」』）)\]”’]{0,3}\s{0,5}$/u;
const numeral = /(?:\p{N}|^[IVXLC]{1,5})$/u;
/** By language. Single letters and words with an inner full stop ("e.g.", "U.S.") need no entry. */
const abbreviations = new Set(
  [
    'al approx apr assn assoc aug ave blvd bros ca cf co corp dec dept dr ed eds esp est etc excl ext feb fig ft',
    'gen gov hon inc incl intl jan jr jul jun llc ltd mar max messrs mfg min misc mr mrs ms mt natl no nos nov',
    'oct pp prof rep resp rev sec sen sep sept sr st tel univ viz vol vs',
    'abb abs bsp bspw bzgl bzw dez dgl dipl evtl exkl fr ggf hr ing inkl insb jh kap mio mrd mwst nr okt',
    'sog str tsd usf usw vgl zgl zzgl',
    'av bd chap cie env ex éd mlle mm mme réf ste sté tél',
    'aprox avda cía dra ej gral ltda máx mín núm pág sra srta ud uds',
    'art avv cap dott ecc es pag sig srl',
    'cia obs',
    'bijv bijz bv drs enz evt jl vlgs zgn',
    'bl dvs jfr kl mfl osv',
    'ang bla eks ekskl feks fx ift jf mv pct pga pkt sml stk vedr',
    'esim jne klo ks ns puh ts vrt ym yms',
    'inż itd itp mgr np św tj tzn tzw ul zob',
    'apod atd např tzv',
    'bkz örn sn vb yy',
    'dll dsb dst tbk yth',
    'stb ún',
  ]
    .join(' ')
    .split(' '),
);

/** Whether a text ends with the end of a sentence. Numbers ("1.") and abbreviations do not end a sentence. */
function endsSentence(text: string): boolean {
  const end = text.slice(-60);
  if (unspaced.test(end)) return true;
  const before = spaced.exec(end)?.groups?.word;
  if (before === undefined) return false;
  const word = before.replace(/^[^\p{L}\p{N}]+/u, '');
  const last = word.split(/[-–/]/).at(-1) ?? '';
  const isShort = word.includes('.') || numeral.test(last) || /^\p{L}\p{M}*$/u.test(last);
  return !isShort && !abbreviations.has(last.toLowerCase());
}
