import { describe, expect, test } from '@jest/globals';
import { extract } from '../extract.ts';
import type { TrackedBrand } from '../names/tracked-brand.ts';

function createBrand(name: string): TrackedBrand {
  return { id: name, name, domain: 'unrelated.example', aliases: [], isOwn: false };
}

/** The tone towards each brand: "+", "0" or "-". */
function tones(text: string, ...names: string[]): string {
  return extract({ answerText: text, sources: [], brands: names.map(createBrand) })
    .map(({ sentiment }) => {
      if (sentiment === null) return '?';
      return sentiment === 50 ? '0' : sentiment > 50 ? '+' : '-';
    })
    .join(' ');
}

const acme = (text: string): string => tones(text, 'Acme');
const both = (text: string): string => tones(text, 'Acme', 'Globex');

describe('what the trade of a brand works against is no criticism', () => {
  test.each([
    'Acme prevents fraud, attacks and losses.',
    'Acme detects malware, threats and breaches.',
    'Acme sells insurance against fire, theft and death.',
    'Acme treats cancer, pain and depression.',
    'Acme reduces stress, errors and waste.',
    'Acme removes stains, dirt and bad odour.',
    'Acme protects you from scams and broken links.',
    'Acme repairs faulty batteries and slow laptops.',
    'Acme helps victims of misleading adverts.',
    'Acme offers relief from problems with sleep.',
    'Acme schützt vor Fehlern und Ausfällen.',
    'Acme protège contre les pannes et les erreurs.',
    'Acme evita errores y retrasos.',
    'Acme elimina difetti e ritardi.',
    'Acme reduz erros e atrasos.',
    'Acme voorkomt fouten en storingen.',
    'Acme zapobiega awariom i opóźnieniom.',
    'Acme förebygger fel och avbrott.',
    'Acme forebygger fejl og nedbrud.',
    'Acmeは故障やエラーを防ぎます。',
    'Acme는 오류와 고장을 예방합니다.',
    'Acme可以减少故障和错误。',
    'Acme mengurangi gangguan dan kesalahan.',
  ])('%s', (text) => {
    expect(acme(text)).toBe('0');
  });

  test('criticism behind the trade counts', () => {
    expect(acme('Acme blocks scams, but it is painfully slow.')).toBe('-');
    expect(acme('Acme fights fraud and is excellent.')).toBe('+');
    expect(acme('Acme suffers from outages.')).toBe('-');
  });
});

describe('a neutral text is exactly 50', () => {
  test.each([
    'Acme has 200 stores in Europe.',
    'Acme supports gold, silver and interest accounts.',
    'Acme aired an advert during the Super Bowl in the United States.',
    'The Best Western Hotel Group and Acme have an agreement about shares.',
    'Acme is the title sponsor of the Happy Valley Marathon.',
    'Acme moved to Great Yarmouth.',
    'Acme is a fast food chain with a bug tracker.',
    'Is Acme any good?',
    'If you want a reliable car, look at several makers such as Acme.',
    'I could not find any reliable information about the prices of Acme.',
    'I found no good reviews or data about Acme.',
    'Ich habe keine verlässlichen Informationen über die Preise von Acme gefunden.',
    "Je n'ai trouvé aucune information fiable sur les prix d'Acme.",
    'No encontré información fiable sobre los precios de Acme.',
    'Acmeの料金に関する信頼できる情報は見つかりませんでした。',
    'Acme a reçu le prix de la ville de Lyon.',
    'Acme działa w tym czasie w całej Polsce.',
    'Acme aus Bad Homburg wirbt beim Super Bowl.',
  ])('%s', (text) => {
    expect(acme(text)).toBe('0');
  });

  test('a language without word lists is neutral', () => {
    expect(acme('Acme çok güvenilir ve mükemmel bir markadır, herkes çok memnun kaldı.')).toBe('0');
    expect(acme('Acme är bra.')).toBe('+');
  });

  test('good and bad that balance are neutral', () => {
    expect(acme('Acme offers great coverage, but its prices are terrible.')).toBe('0');
  });
});

describe('negation', () => {
  test.each([
    ['Acme is not reliable.', '-'],
    ["Acme isn't bad.", '+'],
    ['Acme is anything but reliable.', '-'],
    ['Acme fails to impress.', '-'],
    ['Its support leaves a lot to be desired, say users of Acme.', '-'],
    ['There is nothing bad to say about Acme.', '+'],
    ['Acme is never slow and hardly ever crashes.', '+'],
    ['Acme is neither fast nor reliable.', '-'],
    ['Nobody recommends Acme.', '-'],
    ['Acme is not only affordable but also reliable.', '+'],
    ['Acme is not reliable and expensive.', '-'],
    ['Acme is not reliable, fast or cheap.', '-'],
    ['Acme is not cheap, excellent though.', '+'],
    ['Acme lacks good documentation.', '-'],
    ['Acme does not work.', '-'],
    ['Acme works.', '0'],
    ['I have no complaints about Acme.', '+'],
    ['There is no better choice than Acme.', '+'],
    ['Acme ist nicht zuverlässig.', '-'],
    ['Acme ist keineswegs schlecht.', '+'],
    ['Acme kann ich nicht empfehlen.', '-'],
    ['Ich empfehle Acme nicht.', '-'],
    ["Acme n'est pas fiable.", '-'],
    ['Personne ne recommande Acme.', '-'],
    ["Acme n'est pas mal.", '+'],
    ['Acme no es nada bueno.', '-'],
    ['Nadie recomienda Acme.', '-'],
    ['Nessuno consiglia Acme.', '-'],
    ['Acme non è male.', '+'],
    ['Ninguém recomenda a Acme.', '-'],
    ['Acme deixa muito a desejar.', '-'],
    ['Acme is allesbehalve betrouwbaar.', '-'],
    ['Niemand raadt Acme aan.', '-'],
    ['Nikt nie poleca Acme.', '-'],
    ['Acme är inte bra.', '-'],
    ['Acme er ikke god.', '-'],
    ['Acme ei ole luotettava.', '-'],
    ['Acmeは信頼できません。', '-'],
    ['Acmeは悪くありません。', '+'],
    ['Acme는 좋지 않습니다.', '-'],
    ['Acme不可靠。', '-'],
    ['Acme tidak bagus.', '-'],
    ['Acme अच्छा नहीं है।', '-'],
  ])('%s is %s', (text, tone) => {
    expect(acme(text)).toBe(tone);
  });
});

describe('comparison', () => {
  test.each([
    ['Acme is better than Globex.', '+ -'],
    ['Acme is worse than Globex.', '- +'],
    ['Acme is slower and less reliable than Globex.', '- +'],
    ['Unlike Globex, Acme is reliable.', '+ -'],
    ['Compared with Globex, Acme offers weak reporting.', '- +'],
    ['Acme beats Globex in speed tests.', '+ -'],
    ['Globex is outperformed by Acme.', '+ -'],
    ['Acme loses to Globex.', '- +'],
    ['Reviewers prefer Acme to Globex.', '+ -'],
    ['Instead of Globex, choose Acme, which is more dependable.', '+ -'],
    ['Many teams switched from Globex to Acme because it is easier to use.', '+ -'],
    ['Many users switched from Globex to Acme.', '+ -'],
    ['Teams moved from Globex to Acme because of terrible outages.', '+ -'],
    ['The head of Globex moved from Globex to Acme.', '0 0'],
    ['Acme is twice as fast as Globex.', '+ -'],
    ['Acme has fewer bugs than Globex.', '+ -'],
    ["Globex can't match Acme.", '+ -'],
    ['Acme is not as reliable as Globex.', '- +'],
    ['Acme is as reliable as Globex.', '+ +'],
    ['Acme is a popular alternative to Globex.', '+ 0'],
    ['Acme integrates seamlessly with Globex.', '+ 0'],
    ['Acme is larger than Globex.', '0 0'],
    ['Acme is excellent and Globex is terrible.', '+ -'],
    ['Both Acme and Globex are excellent choices.', '+ +'],
    ['Acme ist besser als Globex.', '+ -'],
    ['Im Gegensatz zu Globex ist Acme zuverlässig.', '+ -'],
    ['Acme est meilleur que Globex.', '+ -'],
    ['Contrairement à Globex, Acme est fiable.', '+ -'],
    ['Acme es peor que Globex.', '- +'],
    ['A diferencia de Globex, Acme es fiable.', '+ -'],
    ['Acme è migliore di Globex.', '+ -'],
    ['Acme é melhor do que Globex.', '+ -'],
    ['Acme is beter dan Globex.', '+ -'],
    ['Acme jest lepszy niż Globex.', '+ -'],
    ['Acme jest gorszy od Globex.', '- +'],
    ['Acme är bättre än Globex.', '+ -'],
    ['Acme er bedre end Globex.', '+ -'],
    ['Acme er bedre enn Globex.', '+ -'],
    ['Acme on parempi kuin Globex.', '+ -'],
    ['AcmeはGlobexより優れています。', '+ -'],
    ['Acme는 Globex보다 훌륭합니다.', '+ -'],
    ['Acme比Globex更好用。', '+ -'],
    ['Acme不如Globex可靠。', '- +'],
    ['Acme, Globex से बेहतर है।', '+ -'],
    ['Acme lebih baik daripada Globex.', '+ -'],
  ])('%s is %s', (text, tone) => {
    expect(both(text)).toBe(tone);
  });
});

describe('price and recommendation', () => {
  test.each([
    ['Acme is cheaper than Globex.', '+ -'],
    ['Acme feels cheap.', '-'],
    ['Acme requires a subscription.', '0'],
    ['For small teams, choose the Acme.', '+'],
    ['I would not choose Acme.', '-'],
    ['Customers who choose Acme pay a deposit.', '0'],
  ])('%s is %s', (text, tone) => {
    expect(tones(text, ...(tone.includes(' ') ? ['Acme', 'Globex'] : ['Acme']))).toBe(tone);
  });
});

describe('concession', () => {
  test.each([
    ['Although Acme is expensive, it is excellent.', '+'],
    ['Acme is slow and buggy, though it looks beautiful.', '-'],
    ['Although Acme is slow, it has 200 stores.', '-'],
    ['Acme is great for runners, but requires a subscription.', '0'],
    ['Acme: requires a subscription (though the hardware is excellent).', '-'],
    ['Globex is a ring. While not as cheap as Acme, it is reliable.', '+'],
  ])('%s is %s', (text, tone) => {
    expect(acme(text)).toBe(tone);
  });
});

describe('where the tone stands', () => {
  test.each([
    ['### Acme\nPowerful and flexible.\n\n### Globex\nSlow and buggy.', '+ -'],
    ['Acme is a workspace app. It is excellent. Globex is one too. It is terrible.', '+ -'],
    ['| Ease of use | Acme | Globex |\n|---|---|---|\n| Menus | excellent | terrible |', '+ -'],
    ['## Acme\n**Cons**\n- Great features cost extra\n## Globex\n**Pros**\n- No slow menus', '0 +'],
    ['Acme has a rating of 4.8 out of 5, Globex of 1.9 out of 5.', '+ -'],
    ['- Acme: ★★★★★\n- Globex: ★☆☆☆☆', '+ -'],
    ['### Acme\n- Great Value\n### Globex\n- Poor Support', '+ -'],
  ])('%j is %s', (text, tone) => {
    expect(both(text)).toBe(tone);
  });

  test('facts beside it do not dilute the tone, and several statements average', () => {
    const score = (text: string): number =>
      extract({ answerText: text, sources: [], brands: [createBrand('Acme')] })[0]?.sentiment ?? 0;
    const facts = 'Acme has 200 stores. '.repeat(20);
    expect(score(`${facts}Acme is excellent.`)).toBe(score('Acme is excellent.'));
    expect(score('Acme is excellent. Acme is terrible.')).toBe(50);
    expect(score('Acme is good. Acme is good. Acme is bad.')).toBeGreaterThan(50);
  });

  test.each([
    'Acme is overpriced.',
    'Avoid Acme.',
    'Acme is a scam.',
    'Acme faces a lawsuit.',
    'Acme has downsides.',
  ])('a sentence of a few words is read in its language: %s', (text) => {
    expect(acme(text)).toBe('-');
  });
});

test('the language of many names is not the one of the sentences', () => {
  const starts = 'Süddeutsche Norddeutsche Rheinische Sächsische Bayerische Hessische Thüringer Schwäbische';
  const ends =
    'Versicherungsgesellschaft Bausparkasse Möbelwerkstätten Gebäudereinigung Küchenstudio Brauerei';
  const names = starts.split(' ').flatMap((start) => ends.split(' ').map((end) => `${start} ${end}`));
  const sentences =
    'Acme är pålitligt och bra för de flesta kunder. Det finns många bolag att välja mellan, men vi har använt ' +
    'tjänsten i flera år. Acme är inte långsam, och kunderna är nöjda med supporten som svarar på en dag.';
  expect(tones(`${names.join(', ')}.\n\n${sentences}`, 'Acme', ...names)).toMatch(/^\+/);
});
