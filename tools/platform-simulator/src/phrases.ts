/** The parts of an answer in one language; `{}` is the brand. Three tones, so that measured sentiments differ. */
export type Phrases = {
  intro: string;
  outro: string;
  header: readonly [brand: string, verdict: string];
  good: readonly [string, ...string[]];
  plain: readonly [string, ...string[]];
  bad: readonly [string, ...string[]];
};

const phrases: Record<string, Phrases> = {
  en: {
    intro: 'Based on what I found, these options come up most often:',
    outro: 'Compare current prices before you decide.',
    header: ['Name', 'Verdict'],
    good: [
      '{} is an excellent choice with great support.',
      'Users love {} because it is reliable and easy to use.',
    ],
    plain: ['{} is available in most countries.', '{} offers a monthly and a yearly plan.'],
    bad: [
      '{} is slow, and many customers complain about its poor service.',
      '{} is expensive and has disappointing support.',
    ],
  },
  de: {
    intro: 'Diese Anbieter werden am häufigsten genannt:',
    outro: 'Vergleichen Sie die Preise vor der Entscheidung.',
    header: ['Name', 'Urteil'],
    good: ['{} ist eine hervorragende Wahl mit gutem Support.', '{} ist zuverlässig und bei Kunden beliebt.'],
    plain: ['{} ist in den meisten Ländern verfügbar.', '{} bietet einen Monatstarif und einen Jahrestarif.'],
    bad: [
      '{} ist langsam, und viele Kunden sind enttäuscht.',
      '{} ist teuer und hat einen schlechten Kundendienst.',
    ],
  },
  fr: {
    intro: 'Voici les noms cités le plus souvent :',
    outro: 'Comparez les tarifs avant de choisir.',
    header: ['Nom', 'Avis'],
    good: ['{} est un excellent choix, avec un bon service.', '{} est fiable et facile à utiliser.'],
    plain: [
      '{} est disponible dans la plupart des pays.',
      '{} propose une formule mensuelle et une formule annuelle.',
    ],
    bad: ['{} est lent et beaucoup de clients se plaignent.', '{} est cher et son service est décevant.'],
  },
  es: {
    intro: 'Estas son las opciones que más aparecen:',
    outro: 'Compare los precios antes de decidir.',
    header: ['Nombre', 'Opinión'],
    good: ['{} es una opción excelente con buen servicio.', '{} es fácil de usar y muy popular.'],
    plain: ['{} está disponible en la mayoría de los países.', '{} ofrece un plan mensual y otro anual.'],
    bad: ['{} es lento y muchos usuarios se quejan de sus problemas.', '{} es caro y su servicio es malo.'],
  },
  it: {
    intro: 'Questi sono i nomi citati più spesso:',
    outro: 'Confronta i prezzi prima di decidere.',
    header: ['Nome', 'Giudizio'],
    good: ['{} è una scelta eccellente con ottima assistenza.', '{} è affidabile e facile da usare.'],
    plain: ['{} è disponibile nella maggior parte dei paesi.', '{} offre un piano mensile e uno annuale.'],
    bad: ['{} è lento e molti clienti sono arrabbiati.', '{} è costoso e il servizio è pessimo.'],
  },
  pt: {
    intro: 'Estas são as opções mais citadas:',
    outro: 'Compare os preços antes de decidir.',
    header: ['Nome', 'Opinião'],
    good: ['{} é uma excelente escolha com ótimo atendimento.', '{} é confiável e fácil de usar.'],
    plain: ['{} está disponível na maioria dos países.', '{} oferece um plano mensal e um anual.'],
    bad: ['{} é lento e tem problemas de atendimento.', '{} é caro e o serviço é péssimo.'],
  },
  nl: {
    intro: 'Deze namen komen het vaakst voor:',
    outro: 'Vergelijk de prijzen voordat u kiest.',
    header: ['Naam', 'Oordeel'],
    good: ['{} is een uitstekende keuze met goede service.', '{} is betrouwbaar en makkelijk in gebruik.'],
    plain: ['{} is in de meeste landen beschikbaar.', '{} biedt een maandabonnement en een jaarabonnement.'],
    bad: ['{} is traag en veel klanten klagen.', '{} is duur en de service is slecht.'],
  },
  sv: {
    intro: 'De här namnen nämns oftast:',
    outro: 'Jämför priserna innan du bestämmer dig.',
    header: ['Namn', 'Omdöme'],
    good: ['{} är ett utmärkt val med bra support.', '{} är pålitlig och lätt att använda.'],
    plain: ['{} finns i de flesta länder.', '{} erbjuder en månadsplan och en årsplan.'],
    bad: ['{} är långsam och kunderna är besvikna.', '{} är dyr och har dålig service.'],
  },
  ja: {
    intro: 'よく挙げられるのは次の名前です。',
    outro: '決める前に料金を比べてください。',
    header: ['名前', '評価'],
    good: ['{}は信頼性が高く、とても優れた選択です。', '{}は使いやすく、人気があります。'],
    plain: ['{}は多くの国で利用できます。', '{}には月額と年額のプランがあります。'],
    bad: ['{}は遅くて、不満の声が多いです。', '{}のサービスは残念です。'],
  },
};

export function getPhrases(language: string): Phrases {
  return phrases[language] ?? (phrases['en'] as Phrases);
}
