const ratingWords =
  /^(?:stars?|sternen?|étoiles?|estrellas?|stelle|estrelas?|sterren|gwiazd\p{L}*|stjärn\p{L}*|stjern\p{L}*|tähteä|tähden|bintang|सितारे|स्टार)$/u;
const ratingsBefore =
  /(?:^|\s)(?:rat(?:ed|ings?)|scor(?:es?|ed)|bewert\p{L}*|note|notée?|valutazione|puntuación|calificación|avaliação|nota|beoordeling|ocen\p{L}*|betyg|vurdering|arvosana)(?: of| av| af| von| de| di| is|:)?$/u;
const scale = /^(?:\/|von|sur|de|su|van|av|af|z|uit|out of) (5|10)(?!\p{N})/u;
const goodShare = 0.88;
const badShare = 0.5;
/** A single star is an ornament. */
const minStars = 3;

/** The words around a number: two before it and three after it. */
type Neighbours = { before: string; after: string[] };

/**
 * The value of a rating, null if a number is none. "4.6 stars" and "★★★★★" praise, "1.5 stars" does not. A whole number
 * is more often a class of hotels.
 */
export function readRating(word: string, neighbours: Neighbours): number | null {
  const share = /^\d/.test(word) ? readNumber(word, neighbours) : readStars(word);
  if (share === null || share > 1) return null;
  if (share >= goodShare) return 2;
  return share <= badShare ? -2 : 0;
}

function readNumber(word: string, { before, after }: Neighbours): number | null {
  if (!/^[1-9][.,]\d$/.test(word)) return null;
  const maximum = scale.exec(after.join(' '))?.[1];
  const isRating = maximum !== undefined || ratingWords.test(after[0] ?? '') || ratingsBefore.test(before);
  return isRating ? Number(word.replace(',', '.')) / Number(maximum ?? 5) : null;
}

function readStars(word: string): number | null {
  const full = word.match(/[★⭐]/gu)?.length ?? 0;
  const empty = word.match(/[☆✩]/gu)?.length ?? 0;
  return full + empty < minStars ? null : full / 5;
}
