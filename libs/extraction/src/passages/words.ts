import { grammarPattern } from '../text/grammar.ts';

/** Words that connect a sentence or line to a brand that it does not name. */
const toStart = (source: string, isUnspaced = false): string =>
  String.raw`^[^\p{L}\p{N}]{0,6}(?:${source})${isUnspaced ? '' : String.raw`(?![\p{L}\p{N}])`}`;

const pronouns = new Map<string, RegExp | null>();

/** How a sentence starts that continues the previous one: a pronoun, or the kind of thing a brand is. */
function pronounsOf(language: string): RegExp | null {
  const known = pronouns.get(language);
  if (known !== undefined) return known;
  const lead = grammarPattern(language, 'lead', (words) => `(?:${words})?`)?.source ?? '';
  const pattern = grammarPattern(language, 'pronoun', (words, isUnspaced) =>
    toStart(`${lead}(?:${words})`, isUnspaced),
  );
  pronouns.set(language, pattern);
  return pattern;
}

const concessions = new Map<string, RegExp | null>();

/** Length of the concession that starts a sentence ("While not as fast as Acme, …"), 0 if none does. */
export function concessionLength(sentence: string, language: string): number {
  let pattern = concessions.get(language);
  if (pattern === undefined) {
    pattern = grammarPattern(
      language,
      'concession',
      (words) => String.raw`${toStart(words)}[^.,;:!?\n]{1,150},`,
    );
    concessions.set(language, pattern);
  }
  return pattern?.exec(sentence)?.[0].length ?? 0;
}

/** Pronouns for several brands: "Both are reliable." */
const plural =
  /^[^\p{L}\p{N}]{0,6}(?:both|they|their|beide|sie|(?:les )?deux|ils|elles|ambos|ambas|son|entrambi|entrambe|sono|são|båda|begge|oba|obie|molemmat|keduanya|albei|दोनों|두 |两者|二者|どちらも|両者|両社)/iu;

/** Whether a sentence without a name continues the one before, so that it is about the same brand. */
export function startsWithPronoun(sentence: string, language: string): boolean {
  return pronounsOf(language)?.test(sentence.slice(0, 60)) === true;
}

/** Whether a sentence without a name leaves its subject out, so that it is about the one before. */
export function hasNoSubject(sentence: string, language: string): boolean {
  // Japanese and Korean leave the subject out. A topic or subject particle shows another one.
  if (language === 'ja') return !/[はが]/u.test(sentence.slice(0, 200));
  if (language === 'ko') return !/[가-힣](?:은|는|이|가)\s/u.test(sentence.slice(0, 200));
  return false;
}

export function startsWithPlural(sentence: string): boolean {
  return plural.test(sentence.slice(0, 30));
}

const prosLabel =
  /^(?:pros?|advantages?|strengths?|benefits?|highlights|upsides?|the good|what (?:we|users|people|customers) (?:like|love)|vorteile?|stärken|pluspunkte|avantages?|points forts|ventajas?|puntos fuertes|fortalezas|vantaggi|punti di forza|vantagens?|prós|pontos fortes|voordelen|pluspunten|sterke punten|fördelar|styrkor|fordele?r?|styrker|zalety|plusy|plussat|plussaa|hyvät puolet|edut|kelebihan|keunggulan|kalamangan|voordele|फायदे|फ़ायदे|लाभ|장점|优点|优势|メリット|長所|良い点|強み)(?![\p{L}\p{N}])/iu;
const consLabel =
  /^(?:cons|contras?|disadvantages?|weakness(?:es)?|drawbacks?|downsides?|limitations?|the bad|what (?:we|users|people|customers) (?:don['’]t like|dislike|hate)|complaints|nachteile?|schwächen|minuspunkte|inconvénients?|points faibles|limites|desventajas?|inconvenientes|puntos débiles|debilidades|svantaggi|contro|punti deboli|difetti|desvantagens?|pontos fracos|nadelen|minpunten|zwakke punten|nackdelar|svagheter|ulemper?|svakheter|svagheder|wady|minusy|miinukset|miinusta|huonot puolet|haitat|kekurangan|kelemahan|disbentaha|nadele|नुकसान|कमियां|कमियाँ|단점|缺点|劣势|デメリット|短所|悪い点|弱み)(?![\p{L}\p{N}])/iu;

/** "Pros" is 1, "Cons" -1, any other label 0. */
export function readPolarity(label: string): -1 | 0 | 1 {
  const head = label.slice(0, 40).replace(/^[^\p{L}\p{N}]+/u, '');
  if (consLabel.test(head)) return -1;
  return prosLabel.test(head) ? 1 : 0;
}

const conclusion = new RegExp(
  toStart(
    String.raw`overall|in (?:summary|conclusion|short|general)|to (?:sum up|summari[sz]e|conclude)|ultimately|bottom line|all in all|conclusion|summary|final thoughts|which (?:one )?(?:should|is)|(?:zusammenfassend|zusammengefasst|insgesamt|fazit|kurz gesagt|abschließend)|en (?:résumé|conclusion|somme|bref|resumen|conclusión|definitiva)|conclusión|in (?:sintesi|conclusione)|nel complesso|em (?:resumo|conclusão|suma)|conclusão|kortom|samengevat|conclusie|al met al|sammanfattningsvis|slutsats|sammenfattende|oppsummert|samlet set|konklusjon|konklusion|podsumowując|podsumowanie|yhteenveto|yhteenvetona|kesimpulannya|kesimpulan|secara keseluruhan|निष्कर्ष|कुल मिलाकर`,
  ),
  'iu',
);
const conclusionUnspaced = new RegExp(
  toStart('総じて|まとめ|結論|全体として|总之|总的来说|综上|总体而言|결론적으로|요약하면|전반적으로', true),
  'u',
);

/** Whether a line starts a conclusion on all brands: what was said under a heading ends before it. */
export function startsConclusion(line: string): boolean {
  const head = line.slice(0, 40);
  return conclusion.test(head) || conclusionUnspaced.test(head);
}
