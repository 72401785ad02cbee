/** Words that connect a sentence or line to a brand that it does not name. */
const start = (source: string): RegExp =>
  new RegExp(String.raw`^[^\p{L}\p{N}]{0,6}(?:${source})(?![\p{L}\p{N}])`, 'iu');
const startUnspaced = (source: string): RegExp =>
  new RegExp(String.raw`^[^\p{L}\p{N}]{0,6}(?:${source})`, 'u');

/** How a sentence starts that continues the previous one: a pronoun, or the kind of thing a brand is. */
const pronouns: Record<string, RegExp> = {
  en: start(
    String.raw`(?:(?:but|and|also|still|yet|overall|however|moreover|furthermore|additionally|in addition|in general|generally|that said|plus|besides|today|nevertheless|unfortunately|sadly|users say|reviewers say|many say|customers say|people say),?\s)?(?:(?:(?:many|most|some|several|other) )?(?:customers|users|reviewers|guests|critics|travell?ers|diners|patients|fans|owners|passengers)|it|it['’]s|its|these|those|they|they['’]re|their|both|the (?:company|brand|firm|service|app|product|products|tool|platform|software|provider|manufacturer|maker|bank|airline|retailer|store|shop|chain|hotel|restaurant|agency|website|site|carrier|insurer|startup|business|vendor)(?:['’]s)?|this (?:company|brand|firm|service|app|product|tool|platform|software|provider|bank|airline|retailer|one|option|place|restaurant|hotel))`,
  ),
  de: start(
    String.raw`(?:(?:und|aber|auch|außerdem|zudem|insgesamt|allerdings|dennoch|leider|dabei|trotzdem)\s(?:(?:ist|sind|hat|haben|gilt|gelten|bietet|wird|werden|wirkt)\s)?)?(?:(?:viele |manche |die (?:meisten )?)?(?:kunden|nutzer|gäste|kundinnen|tester|kritiker|anwender)|es|er|sie|diese|dieses|dieser|ihr|ihre|ihren|ihrem|ihrer|sein|seine|seinen|seiner|deren|dessen|beide|das (?:Unternehmen|Produkt|Tool|Programm|Angebot|Hotel|Restaurant)|die (?:Firma|Marke|App|Plattform|Software|Bank|Kette|Produkte|Airline|Versicherung)|der (?:Anbieter|Hersteller|Dienst|Händler|Konzern|Service|Kundendienst|Versicherer))`,
  ),
  fr: start(
    String.raw`(?:(?:et|mais|aussi|de plus|en outre|cependant|toutefois|malheureusement|globalement),?\s)?(?:(?:(?:les|de nombreux|beaucoup de|certains) )(?:clients|utilisateurs|voyageurs|critiques|patients)|il|elle|ils|elles|celui-ci|celle-ci|ceux-ci|celles-ci|son|sa|ses|leur|leurs|c['’]est|ce sont|on (?:lui|leur)|(?:les )?deux|l['’](?:entreprise|application|outil|enseigne|appli|hôtel)|la (?:marque|société|plateforme|banque|chaîne|compagnie)|le (?:service|logiciel|produit|fabricant|fournisseur|restaurant|site|groupe)|cette (?:marque|entreprise|application|plateforme|société|banque)|cet outil|ce (?:service|logiciel|produit))`,
  ),
  es: start(
    String.raw`(?:(?:y|pero|también|además|sin embargo|en general|lamentablemente),?\s)?(?:(?:(?:los|muchos|algunos) )(?:clientes|usuarios|huéspedes|críticos|viajeros)|ell[oa]s?|él|est[oa]s|su|sus|es|son|está|están|tiene|tienen|ofrece|ofrecen|fue|destaca|destacan|resulta|cuenta con|amb[oa]s|la (?:empresa|marca|compañía|plataforma|aplicación|herramienta|tienda|cadena)|el (?:servicio|producto|fabricante|proveedor|banco|hotel|restaurante|programa)|est[ea] (?:empresa|marca|aplicación|plataforma|herramienta|servicio|producto))`,
  ),
  it: start(
    String.raw`(?:(?:e|ma|anche|inoltre|tuttavia|però|purtroppo|nel complesso),?\s)?(?:(?:(?:i|gli|molti|alcuni) )(?:clienti|utenti|ospiti|critici|viaggiatori)|ess[oaie]|quest[ei]|lui|lei|loro|il suo|la sua|i suoi|le sue|è|sono|ha|hanno|offre|offrono|risulta|entramb[ei]|l['’](?:azienda|app|applicazione|hotel)|la (?:società|marca|piattaforma|banca|catena|compagnia|ditta)|il (?:servizio|prodotto|marchio|produttore|fornitore|software|negozio|ristorante)|quest[oa] (?:azienda|marca|app|piattaforma|servizio|prodotto|strumento))`,
  ),
  pt: start(
    String.raw`(?:(?:e|mas|também|além disso|no entanto|porém|infelizmente|no geral),?\s)?(?:(?:(?:os|muitos|alguns) )(?:clientes|usuários|utilizadores|hóspedes|críticos)|ele|ela|eles|elas|seu|sua|seus|suas|é|são|está|estão|tem|têm|oferece|oferecem|foi|amb[oa]s|a (?:empresa|marca|companhia|plataforma|ferramenta|loja|rede)|o (?:serviço|produto|aplicativo|fabricante|fornecedor|banco|hotel|restaurante|programa)|ess[ea] (?:empresa|marca|plataforma|ferramenta|serviço|produto))`,
  ),
  nl: start(
    String.raw`(?:(?:en|maar|ook|bovendien|daarnaast|echter|helaas|over het algemeen)\s(?:(?:is|zijn|heeft|hebben|biedt|wordt)\s)?)?(?:(?:(?:veel|sommige|de) )?(?:klanten|gebruikers|gasten|reizigers|critici)|het|hij|ze|zij|zijn|haar|hun|beide|het (?:bedrijf|merk|product|platform|hotel)|de (?:app|dienst|winkel|bank|keten|software|maatschappij|aanbieder|fabrikant)|dit (?:bedrijf|merk|product|platform)|deze (?:app|dienst|winkel|bank|tool))`,
  ),
  sv: start(
    String.raw`(?:(?:och|men|också|dessutom|tyvärr|dock)\s(?:(?:är|har)\s)?)?(?:(?:(?:många|vissa) )?(?:kunder|kunderna|användare|användarna|gäster|gästerna)|den|det|de|dess|deras|båda|företaget|märket|varumärket|appen|tjänsten|produkten|produkterna|plattformen|banken|kedjan|verktyget|butiken)`,
  ),
  da: start(
    String.raw`(?:(?:og|men|også|desuden|dessuten|desværre|dessverre|dog)\s(?:(?:er|har)\s)?)?(?:(?:(?:mange|nogle|noen) )?(?:kunder|kunderne|kundene|brugere|brugerne|brukere|brukerne|gæster|gæsterne|gjester|gjestene)|den|det|de|dens|dets|deres|begge|virksomheden|firmaet|selskabet|selskapet|bedriften|mærket|merket|merkevaren|appen|tjenesten|produktet|produkterne|produktene|platformen|plattformen|banken|kæden|kjeden|værktøjet|verktøyet|butikken)`,
  ),
  pl: start(
    String.raw`(?:(?:i|ale|także|również|ponadto|niestety|jednak|ogólnie),?\s)?(?:(?:(?:wielu|niektórzy) )?(?:klienci|klientów|użytkownicy|użytkowników|goście)|on|ona|ono|oni|one|jej|jego|ich|jest|są|ma|mają|oferuje|oferują|oba|obie|obydwie|firma|marka|aplikacja|platforma|usługa|produkt|bank|sieć|sklep|narzędzie|producent)`,
  ),
  fi: start(
    String.raw`(?:(?:ja|mutta|myös|lisäksi|valitettavasti)\s)?(?:(?:(?:monet|jotkut) )?(?:asiakkaat|käyttäjät|vieraat)|se|sen|sillä|siinä|ne|niiden|niillä|he|heidän|molemmat|yritys|yhtiö|brändi|sovellus|palvelu|tuote|tuotteet|alusta|pankki|ketju|työkalu)`,
  ),
  id: start(
    String.raw`(?:(?:dan|tetapi|juga|selain itu|namun|sayangnya),?\s)?(?:(?:banyak |para |beberapa )?(?:pelanggan|pengguna|tamu)|ia|dia|mereka|ini|itu|keduanya|perusahaan(?: ini)?|merek ini|aplikasi ini|layanan(?:nya| ini)|produk(?:nya| ini)|platform ini|bank ini|harganya|kualitasnya|antarmukanya)`,
  ),
  tl: start(
    String.raw`(?:(?:at|pero|ngunit|subalit|din|rin)\s)?(?:ito|ito'y|sila|siya|nito|nila|kanilang|ang kanilang|ang kumpanya|ang app|ang serbisyo|ang produkto|it|they)`,
  ),
  af: start(
    String.raw`(?:(?:en|maar|ook)\s)?(?:dit|hulle|sy|hul|hy|albei|die (?:maatskappy|handelsmerk|produk|app|diens|bank|winkel))`,
  ),
  hi: start(
    String.raw`(?:(?:और|लेकिन|हालाँकि|हालांकि|साथ ही)\s)?(?:(?:कई |अधिकांश )?(?:ग्राहक|उपयोगकर्ता)|यह|ये|वह|वे|इसका|इसकी|इसके|इसमें|इसे|इनका|इनकी|इनके|उनका|उनकी|उनके|दोनों|कंपनी|यह कंपनी)`,
  ),
  ko: startUnspaced(
    '이는|이것은|이것이|그것은|그들은|이 회사|이 브랜드|이 앱|이 서비스|이 제품|해당|동사|회사는|두 ',
  ),
  zh: startUnspaced(
    '用户|客户|顾客|许多用户|很多用户|它|其|他们|该|这款|这家|这个|此|两者|二者|公司|产品|服务',
  ),
  ja: startUnspaced(
    '利用者|ユーザー|顧客|多くの利用者|多くのユーザー|それ|これ|その|同社|同サービス|同ブランド|この|こちら|どちらも|両者|両社',
  ),
};

/** Pronouns for several brands: "Both are reliable." */
const plural =
  /^[^\p{L}\p{N}]{0,6}(?:both|they|their|beide|sie|(?:les )?deux|ils|elles|ambos|ambas|son|entrambi|entrambe|sono|são|båda|begge|oba|obie|molemmat|keduanya|albei|दोनों|두 |两者|二者|どちらも|両者|両社)/iu;

/** Whether a sentence without a name continues the one before, so that it is about the same brand. */
export function startsWithPronoun(sentence: string, language: string): boolean {
  return pronouns[language]?.test(sentence.slice(0, 60)) === true;
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
export function readSlant(label: string): -1 | 0 | 1 {
  const head = label.slice(0, 40).replace(/^[^\p{L}\p{N}]+/u, '');
  if (consLabel.test(head)) return -1;
  return prosLabel.test(head) ? 1 : 0;
}

const conclusion = start(
  String.raw`overall|in (?:summary|conclusion|short|general)|to (?:sum up|summari[sz]e|conclude)|ultimately|bottom line|all in all|conclusion|summary|final thoughts|which (?:one )?(?:should|is)|(?:zusammenfassend|zusammengefasst|insgesamt|fazit|kurz gesagt|abschließend)|en (?:résumé|conclusion|somme|bref|resumen|conclusión|definitiva)|conclusión|in (?:sintesi|conclusione)|nel complesso|em (?:resumo|conclusão|suma)|conclusão|kortom|samengevat|conclusie|al met al|sammanfattningsvis|slutsats|sammenfattende|oppsummert|samlet set|konklusjon|konklusion|podsumowując|podsumowanie|yhteenveto|yhteenvetona|kesimpulannya|kesimpulan|secara keseluruhan|निष्कर्ष|कुल मिलाकर`,
);
const conclusionUnspaced = startUnspaced(
  '総じて|まとめ|結論|全体として|总之|总的来说|综上|总体而言|결론적으로|요약하면|전반적으로',
);

/** Whether a line starts a conclusion on all brands: what was said under a heading ends before it. */
export function startsConclusion(line: string): boolean {
  const head = line.slice(0, 40);
  return conclusion.test(head) || conclusionUnspaced.test(head);
}
