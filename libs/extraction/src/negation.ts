/** Words that negate nearby words: before them, or after them in some languages. */
type Negation = { before: ReadonlySet<string>; after?: ReadonlySet<string> };

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

const germanic = (text: string): Negation => ({ before: words(text), after: words(text) });

const negations: Record<string, Negation> = {
  en: {
    before: words(
      "not no never neither nor none nobody nothing cannot without hardly barely rarely lacks lacking isn't aren't wasn't weren't don't doesn't didn't won't wouldn't can't couldn't shouldn't hasn't haven't hadn't ain't",
    ),
  },
  de: germanic('nicht kein keine keinen keinem keiner keines nie niemals ohne kaum weder'),
  nl: germanic('niet geen nooit zonder nauwelijks noch'),
  sv: germanic('inte icke ej aldrig utan inga ingen inget knappast'),
  da: germanic('ikke ej aldrig uden ingen intet næppe'),
  no: germanic('ikke aldri uten ingen intet neppe'),
  fr: { before: words('ne n pas jamais aucun aucune sans ni guère'), after: words('pas jamais') },
  es: { before: words('no nunca jamás sin ni tampoco ningún ninguna ninguno') },
  it: { before: words('non mai senza né nessun nessuna nessuno') },
  pt: { before: words('não nunca jamais sem nem nenhum nenhuma') },
  pl: { before: words('nie nigdy bez ani żaden żadna żadnych brak') },
  fi: { before: words('ei en et emme ette eivät ilman koskaan') },
  cs: { before: words('ne není nejsou nikdy bez ani žádný žádné') },
  id: { before: words('tidak bukan jangan tanpa belum kurang tak') },
  ms: { before: words('tidak bukan jangan tanpa belum kurang tak') },
  tl: { before: words('hindi wala walang') },
  hi: { before: words('नहीं न बिना मत'), after: words('नहीं') },
  ko: { before: words(''), after: words('지 않 지않 없 아니 못하') },
  ja: { before: words(''), after: words('ない なかった ません なく ず にくい') },
  zh: { before: words('不 没 没有 无 未 别') },
};

const none: Negation = { before: new Set() };

export function getNegations(language: string): Negation {
  return negations[language] ?? none;
}

/** Words that start a contrasting clause: its tone belongs to the brand named in that clause. */
export const contrastWords = words(
  'but while whereas however although though aber während hingegen jedoch dagegen mais tandis alors pero mientras ma mentre mas enquanto maar terwijl men medan mens ale natomiast podczas tetapi sedangkan namun लेकिन जबकि',
);
