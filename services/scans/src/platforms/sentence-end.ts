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
export function endsSentence(text: string): boolean {
  const end = text.slice(-60);
  if (unspaced.test(end)) return true;
  const before = spaced.exec(end)?.groups?.word;
  if (before === undefined) return false;
  const word = before.replace(/^[^\p{L}\p{N}]+/u, '');
  const last = word.split(/[-–/]/).at(-1) ?? '';
  const isShort = word.includes('.') || numeral.test(last) || /^\p{L}\p{M}*$/u.test(last);
  return !isShort && !abbreviations.has(last.toLowerCase());
}
