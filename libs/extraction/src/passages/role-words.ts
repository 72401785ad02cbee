/** How a language marks the parts: patterns for the text before a name end in `$`, for the text after it start with `^`. */
export type RoleWords = {
  standard?: RegExp;
  standardAfter?: RegExp;
  origin?: RegExp;
  equal?: RegExp;
  equalAfter?: RegExp;
  other?: RegExp;
  otherAfter?: RegExp;
  /** Prepositions: a later brand behind one is not what the sentence is about. */
  preposition?: RegExp;
};

const before = (source: string): RegExp =>
  new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${source})\s{1,3}$`, 'iu');
const within = String.raw`[^.;:!?\n]{0,60}?`;
const article = {
  en: '(?: the| a| an)?',
  de: '(?: der| die| das| dem| den)?',
  fr: '(?: le| la| les)?',
  es: '(?: el| la| los| las)?',
  pt: '(?: o| a| os| as)?',
  nl: '(?: de| het)?',
};

const english: RoleWords = {
  origin: before(
    String.raw`(?:replac(?:es?|ed|ing)|(?:ditch|abandon)(?:ed|ing)?|left|leav(?:es?|ing)|(?:switch|mov|migrat|chang|upgrad)\w{1,4}(?: away)? from)${article.en}`,
  ),
  standard: before(
    String.raw`(?:than|unlike|(?:compared|comparison|contrast|opposed)(?: with| to)|relative to|instead of|rather than|in place of|(?:twice|times) as [^.,;:!?\n]{1,40}? as|trumps|edges out|eclipses|overshadows|pales? (?:next to|beside)|beats?|beating|outperform(?:s|ed|ing)?|outshin(?:es?|ing)|surpass(?:es|ed)?|outclass(?:es)?|outpac(?:es?|ed)|trounces|tops|leads|rank\w{0,3}\s${within}(?<!\p{L})above|trails|trailing|lags? behind|falls? behind|(?:falls?|comes?) short of|loses? to|lost to|(?:inferior|superior|preferable) to|ahead of|no match for|(?:can['’]t|cannot|can ?not|doesn['’]t|don['’]t|does not|couldn['’]t|not) (?:match|rival|compete with|keep up with)|(?:out(?:performed|classed|paced)|beaten|surpassed|overtaken) by|(?:prefer|favou?r|recommend|choose|chose|pick|advantage|edge|lead|win|improvement)\w{0,4}\s${within}over|prefer\w{0,4}\s${within}(?<!\p{L})to)${article.en}`,
  ),
  equal: before(
    String.raw`(?<!twice )(?<!times )(?:as|so)\s[^.,;:!?\n]{1,40}?\sas${article.en}|on (?:a )?par with|just like`,
  ),
  other: before(
    String.raw`versus|vs\.?|(?:alternatives?|competitors?|rivals?|equivalents?|similar|comparable) (?:to|of|for)|besides|apart from|aside from|in addition to|(?:integrat\w{1,5}|compatible|compet\w{1,5}|partner\w{0,5}|work(?:s|ing)?|connect\w{0,3}|sync\w{0,4}) (?:with|for)|(?:owned|acquired|bought|founded|developed|operated|certified|published|reported) by|defeat(?:s|ed|ing)(?: the)?|part of|subsidiary of|available (?:on|at|from|via|through)|(?:according|thanks) to|based on|built on|powered by`,
  ),
  preposition: before('at|by|with|from|into|on|onto|via|through|inside|within'),
};

const german: RoleWords = {
  origin: before(
    String.raw`(?:(?:wechs|umst|umgest|umgezog)\p{L}{0,8}\s${within}(?<!\p{L})von|ersetz\p{L}{1,3})${article.de}`,
  ),
  standard: before(
    String.raw`(?:(?<!bekannt )als(?: bei)?|(?:doppelt|mal) so [^.,;:!?\n]{1,40}? wie|im (?:Gegensatz|Vergleich|Unterschied) zu[rm]?|verglichen mit|(?:Vorteil|Vorsprung)e? gegenüber|anders als|(?:an)?statt|anstelle von|übertrifft|übertreffen|schlägt|überholt|besiegt)${article.de}`,
  ),
  standardAfter: /^\s(?:deutlich |klar |weit )?(?:überlegen|voraus|vorzuziehen|unterlegen)/iu,
  equal: before(
    String.raw`(?<!doppelt )(?<!mal )(?:so|genauso|ebenso)\s[^.,;:!?\n]{1,40}?\swie${article.de}`,
  ),
  other: before(
    String.raw`(?:Alternativen?|Konkurrent(?:en)?|Wettbewerber|Rivalen?) (?:zu[rm]?|von)|neben|außer|ähnlich wie|kompatibel mit|Integration (?:mit|von)|arbeitet mit|gehört zu|Tochter von|laut|nach Angaben von`,
  ),
  preposition: before('bei|von|mit|aus|über|durch'),
};

const french: RoleWords = {
  origin: before(
    String.raw`(?:(?:pass|chang|migr|quitt)\p{L}{1,4}\s${within}(?<!\p{L})de|(?:quitt|délaiss|abandonn)\p{L}{1,4})${article.fr}`,
  ),
  standard: before(
    String.raw`(?:(?:plus|moins|mieux|meilleure?s?|pires?|moindre)\s?${within}(?<!\p{L})que|contrairement (?:à|aux?)|à la différence de|(?:comparée?s?|comparaison|rapport) (?:à|avec|aux?)|au lieu de|plutôt que|surpasse|dépasse|devance|bat|(?:supérieure?|inférieure?|préférable)s? à|préf[eéè]r\w{0,4}\s${within}(?<!\p{L})à)${article.fr}`,
  ),
  equal: before(String.raw`(?:aussi|si|autant)\s[^.,;:!?\n]{0,40}?(?<!\p{L})que${article.fr}`),
  other: before(
    String.raw`(?:alternatives?|concurrente?s?|équivalents?|semblable|similaire)s? (?:à|de)|outre|hormis|compatible avec|intégration (?:avec|de)|(?:racheté|acquis|détenu|fondé)e? par|filiale de|selon`,
  ),
  preposition: before('par|avec|chez|depuis|via|sur|dans'),
};

const spanish: RoleWords = {
  origin: before(
    String.raw`(?:(?:cambi|pas|migr|mud)\p{L}{1,6}\s${within}(?<!\p{L})de|(?:abandon|dej)an)${article.es}`,
  ),
  standard: before(
    String.raw`(?:(?:más|menos|mejor|mejores|peor|peores|menor|mayor)\s?${within}(?<!\p{L})que|a diferencia de|en (?:comparación|contraste) con|comparad[oa]s? con|frente a|en (?:lugar|vez) de|supera(?: a)?|vence a|gana a|bate a|(?:superior|inferior|preferible) a|prefier\w{1,3}\s${within}(?<!\p{L})a)${article.es}`,
  ),
  equal: before(String.raw`tan(?:to)?\s[^.,;:!?\n]{0,40}?(?<!\p{L})como${article.es}`),
  other: before(
    String.raw`(?:alternativas?|competidor(?:es)?|rival(?:es)?|similar(?:es)?|parecid[oa]s?) (?:a|de)|además de|aparte de|compatible con|se integra con|integración con|(?:adquirid|comprad|fundad)[oa] por|filial de|según`,
  ),
  preposition: before('con|por|en|desde|vía|sobre'),
};

const italian: RoleWords = {
  origin: before(String.raw`(?:(?:pass|cambi|migr)\p{L}{1,5}\s${within}(?<!\p{L})da|(?:lasci|abbandon)ano)`),
  standard: before(
    String.raw`(?:(?:più|meno|migliore?|migliori|meglio|peggiore?|peggiori|peggio)\s?${within}(?<!\p{L})(?:di|che|del|della|dell|rispetto a)|a differenza d(?:i|el|ella)|(?:rispetto|in confronto|superiore|inferiore|preferibile) (?:a|ad|al|alla)|paragonat[oa] (?:a|con)|invece (?:di|che)|al posto di|supera|batte|vince su|prefer\w{1,5}\s${within}(?<!\p{L})a)`,
  ),
  equal: before(String.raw`(?:così|tanto|altrettanto)\s[^.,;:!?\n]{0,40}?(?<!\p{L})(?:come|quanto)`),
  other: before(
    String.raw`(?:alternativ[ae]|concorrent[ei]|rivali?|simil[ei]) (?:a|ad|di)|oltre a|compatibile con|si integra con|integrazione con|(?:acquisit|fondat)[oa] da|secondo`,
  ),
  preposition: before('con|da|su|presso|tramite|in'),
};

const portuguese: RoleWords = {
  origin: before(String.raw`(?:(?:mud|troc|migr|pass)\p{L}{1,5}\s${within}(?<!\p{L})d[aeo])${article.pt}`),
  standard: before(
    String.raw`(?:(?:mais|menos|melhor|melhores|pior|piores)\s?${within}(?<!\p{L})(?:do que|que|do|da)|ao contrário d[oae]|diferentemente d[oae]|(?:em|na) comparação (?:com|ao?|à)|comparad[oa]s? (?:com|ao?|à)|em relação (?:ao?|à)|em vez d[eoa]|em lugar d[eoa]|supera|bate|vence|(?:superior|inferior|preferível) (?:ao?|à)|prefer\w{1,4}\s${within}(?<!\p{L})(?:ao?|à))${article.pt}`,
  ),
  equal: before(String.raw`(?:tão|tanto)\s[^.,;:!?\n]{0,40}?(?<!\p{L})(?:quanto|como)${article.pt}`),
  other: before(
    String.raw`(?:alternativas?|concorrentes?|rival|rivais|semelhantes?|similar(?:es)?) (?:ao?|à|d[eoa])|além d[eoa]|compatível com|integra com|integração com|(?:adquirid|fundad|comprad)[oa] pel[oa]|segundo`,
  ),
  preposition: before('com|por|pel[oa]|em|n[oa]|via|sobre'),
};

const dutch: RoleWords = {
  origin: before(
    String.raw`(?:(?:overst|overgest|wissel|gewissel)\p{L}{1,8}\s${within}(?<!\p{L})van|stap\p{L}{1,5}\s${within}(?<!\p{L})van)${article.nl}`,
  ),
  standard: before(
    String.raw`(?:dan(?: bij)?|in tegenstelling tot|(?:vergeleken|vergelijking) met|ten opzichte van|anders dan|in plaats van|overtreft|verslaat|klopt)${article.nl}`,
  ),
  equal: before(String.raw`(?:zo|even|net zo)\s[^.,;:!?\n]{1,40}?\sals${article.nl}`),
  other: before(
    String.raw`(?:alternatief|alternatieven) voor|(?:concurrent|concurrenten|rivalen?) van|naast|behalve|vergelijkbaar met|compatibel met|integreert met|integratie met|(?:overgenomen|opgericht) door|volgens`,
  ),
  preposition: before('bij|van|met|door|via|uit'),
};

const swedish: RoleWords = {
  origin: before(String.raw`(?:(?:byt|gick|gått|flytta)\p{L}{0,5}\s${within}(?<!\p{L})från)`),
  standard: before(
    String.raw`(?:än(?: hos| på)?|till skillnad från|(?:jämfört|jämförelse) med|i stället för|istället för|i motsats till|slår|överträffar|framför)`,
  ),
  equal: before(String.raw`(?:så|lika|lika så)\s[^.,;:!?\n]{1,40}?\ssom`),
  other: before(
    String.raw`(?:alternativ|konkurrent(?:er)?) till|förutom|utöver|kompatibel(?:t)? med|integreras med|integration med|(?:köptes|ägs|grundades) av|enligt`,
  ),
  preposition: before('hos|med|av|från|via|på'),
};

/** Danish and Norwegian. */
const danish: RoleWords = {
  origin: before(String.raw`(?:(?:skift|bytt|byt|gikk|gik|flytt)\p{L}{0,5}\s${within}(?<!\p{L})fra)`),
  standard: before(
    String.raw`(?:end(?: hos)?|enn(?: hos)?|i (?:modsætning|motsetning) til|til forskel fra|(?:sammenlignet|sammenligning|sammenlikning|sammenliknet) med|i stedet for|istedenfor|slår|overgår|frem for|fremfor|framfor)`,
  ),
  equal: before(String.raw`(?:så|lige så|like så|like)\s[^.,;:!?\n]{1,40}?\ssom`),
  other: before(
    String.raw`(?:alternativ(?:er)?|konkurrent(?:er)?) til|foruten|foruden|ud over|kompatibel(?:t)? med|integrasjon med|integration med|(?:købt|kjøpt|ejet|eid|grundlagt) a[fv]|ifølge`,
  ),
  preposition: before('hos|med|a[fv]|fra|via|på'),
};

const polish: RoleWords = {
  origin: before(String.raw`(?:(?:prze(?:szł|siad|chodz|nieś|nios)|zmieni)\p{L}{1,6}\s${within}(?<!\p{L})z)`),
  standard: before(
    String.raw`(?:niż|od|w (?:przeciwieństwie|odróżnieniu|porównaniu) (?:do|od|z)|zamiast|przewyższa|wyprzedza|pokonuje|bije)`,
  ),
  equal: before(String.raw`(?:tak|równie)\s[^.,;:!?\n]{1,40}?\s(?:jak|co)`),
  other: before(
    String.raw`(?:alternatyw\w{1,3}|konkurent\w{0,3}|konkurencj\w{1,2}) (?:dla|wobec)?|oprócz|poza|integruje się z|kompatybiln\w{1,2} z|współpracuje z|według|przejęt\w{1,2} przez|należy do`,
  ),
  preposition: before('z|ze|przez|w|u|na'),
};

const finnish: RoleWords = {
  standard: before('toisin kuin|(?<!yhtä [^.,;]{1,40} )kuin|päihittää|voittaa|ohittaa'),
  standardAfter: /^(?::?(?:iin|ään|een|hin|oon|uun))? verrattuna/iu,
  equal: before(String.raw`yhtä [^.,;:!?\n]{1,40}? kuin`),
  other: before('vaihtoehto|vaihtoehtoja|kilpailija|mukaan'),
};

const indonesian: RoleWords = {
  standard: before(
    String.raw`daripada|dibanding(?:kan)?(?: dengan)?|tidak seperti|berbeda dengan|alih-alih|ketimbang|mengungguli|mengalahkan|lebih\s[^.,;:!?\n]{1,30}?\sdari|(?:beralih|pindah|berpindah) dari`,
  ),
  equal: before(
    String.raw`se(?:bagus|baik|cepat|mudah|murah|andal|handal|lengkap)|sama\s[^.,;:!?\n]{1,30}?\sdengan`,
  ),
  other: before(
    'alternatif (?:untuk|dari|selain)|pesaing|selain|kompatibel dengan|terintegrasi dengan|diakuisisi oleh|menurut',
  ),
  preposition: before('di|oleh|dengan|dari|melalui'),
};

const tagalog: RoleWords = {
  standard: before(
    'kaysa(?: sa)?|kumpara sa|hindi (?:tulad|katulad) ng|sa halip na|higit sa|than|unlike|compared to',
  ),
  other: before('alternatibo sa|bukod sa|ayon sa'),
};

const afrikaans: RoleWords = {
  standard: before(
    'as(?: die)?|anders as|in teenstelling met|in vergelyking met|vergeleke met|in plaas van|klop|oortref',
  ),
  equal: before(String.raw`(?:so|net so|ewe)\s[^.,;:!?\n]{1,40}?\s(?:soos|as)`),
  other: before('alternatief (?:vir|tot)|behalwe|volgens'),
};

const japanese: RoleWords = {
  equalAfter: /^(?:さん|社)?(?:ほど|と同じくらい|並み)/u,
  standardAfter:
    /^(?:さん|社|製品?)?(?:より|に比べ|と比べ|と比較|とは?違|とは?異な|の代わり|に勝|を上回|を凌|を超え|に劣|に及ば|から\S{1,30}(?:乗り換|移行|切り替|移っ))/u,
  otherAfter: /^(?:の代替|の競合|以外|と連携|と統合|によると|傘下|に対応)/u,
};

const korean: RoleWords = {
  equalAfter: /^(?:만큼|처럼)/u,
  standardAfter:
    /^(?:보다|[와과]는? ?(?:달리|비교|다르)|에 비해|에 비하면|대신|[을를] (?:능가|앞서|뛰어넘)|에 뒤|에서 \S{1,30} (?:갈아|옮|전환|바꾸|바꿨))/u,
  otherAfter: /^(?:의 대안|의 경쟁|[와과] (?:연동|통합|호환|제휴)|에 따르면|[을를] 대체)/u,
};

const chinese: RoleWords = {
  equal: /(?:没有|没|和|跟|与|像)\s{0,2}$/u,
  standard:
    /(?:比|不像|不同于|有别于|相比于?|相较于?|比起|优于|胜过|超过|超越|强于|强过|不如|不及|逊于|而不是)\s{0,2}$/u,
  standardAfter: /^\s?(?:相比|不同|那样)/u,
  other: /(?:替代|兼容|集成|收购|根据|除了)\s{0,2}$/u,
  otherAfter: /^\s?(?:的(?:替代|竞争|对手)|旗下|收购|以外|之外)/u,
};

const hindi: RoleWords = {
  equalAfter: /^\s(?:जितन|जैस|के समान|के बराबर)/u,
  standardAfter:
    /^\s(?:(?:की तुलना|के मुकाबले|के विपरीत|की बजाय|के बजाय)|से (?:कहीं |काफी |काफ़ी |बहुत )?(?:बेहतर|ज़्यादा|ज्यादा|अधिक|कम|अच्छ|सस्त|महंग|तेज|धीम|खराब|ख़राब|बदतर|आसान|आगे|पीछे))/u,
  otherAfter: /^\s(?:का विकल्प|के विकल्प|के अनुसार|के साथ एकीकृत)/u,
};

/** The words of each language by ISO 639-1 code. */
export const roleWords: Readonly<Record<string, RoleWords>> = {
  en: english,
  de: german,
  fr: french,
  es: spanish,
  it: italian,
  pt: portuguese,
  nl: dutch,
  sv: swedish,
  da: danish,
  pl: polish,
  fi: finnish,
  id: indonesian,
  tl: tagalog,
  af: afrikaans,
  ja: japanese,
  ko: korean,
  zh: chinese,
  hi: hindi,
};
