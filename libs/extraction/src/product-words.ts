/**
 * Words of product reviews that the translated lexicon lacks or rates wrongly ("teuer" there is "dear, beloved").
 * Valence as in AFINN, -5 to 5; 0 removes a word.
 */
export const productWords: Record<string, string> = {
  en: 'like:0 free:0 no:0 cut:0 pay:0 share:0 shared:0 block:0 ability:0 growing:0 big:0 want:0 expensive:-2 overpriced:-2 pricey:-1 cheap:1 slow:-2 buggy:-2 leading:2 intuitive:2 powerful:2 fast:1 affordable:2 complicated:-2 clunky:-2 outdated:-2 seamless:2 versatile:2',
  de: 'teuer:-2 überteuert:-2 empfehle:2 empfehlenswert:3 langsam:-2 umständlich:-2 beliebt:2 übersichtlich:2 vielseitig:2 unzuverlässig:-2 veraltet:-2 schnell:1 billig:1',
  fr: 'plus:0 cher:-2 chère:-2 recommandé:2 recommandée:2 leader:2 lent:-2 lente:-2 bon:3 bonne:3 bons:3 bonnes:3 meilleure:3 meilleurs:3 meilleures:3 pratique:2 rapide:1 compliqué:-2 abordable:2',
  es: 'caro:-2 cara:-2 recomiendo:2 recomendable:2 fiable:2 confiable:2 líder:2 buena:3 buen:3 buenas:3 malo:-3 mala:-3 mejor:2 mejores:2 rápido:1 complicado:-2 asequible:2 grande:0 grandes:0',
  it: 'consiglio:2 leader:2 deludente:-2 buono:3 buona:3 buoni:3 buone:3 pessimo:-3 pessima:-3 ottimo:3 ottima:3 cattivo:-3 cattiva:-3 caro:-2 cara:-2 lento:-2 veloce:1 pratico:2 grande:0 grandi:0',
  pt: 'caro:-2 cara:-2 recomendo:2 recomendável:2 líder:2 lento:-2 ruim:-3 ruins:-3 péssimo:-3 péssima:-3 rápido:1 prático:2 acessível:2 grande:0 grandes:0',
  nl: 'raad:0 aanrader:3 aanraden:2 makkelijk:2 duur:-2 dure:-2 slechte:-3 snel:1 handig:2 traag:-2 trage:-2 omslachtig:-2 toonaangevend:2',
  sv: 'har:0 rekommenderas:2 dyr:-2 dyrt:-2 enkel:2 enkelt:2 besviken:-2 besvikna:-2 snabb:1 långsam:-2 långsamt:-2 ledande:2 missnöjd:-2 missnöjda:-2',
  da: 'dyr:-2 dyrt:-2 nem:2 nemt:2 anbefales:2 anbefaler:2 hurtig:1 langsom:-2 førende:2 skuffet:-2 skuffede:-2 utilfreds:-2 utilfredse:-2',
  no: 'dyr:-2 dyrt:-2 enkel:2 enkelt:2 anbefales:2 anbefaler:2 rask:1 treg:-2 ledende:2 skuffet:-2 misfornøyd:-2 misfornøyde:-2 trygg:2 bra:3',
  pl: 'na:0 polecam:2 polecany:2 polecane:2 łatwy:2 łatwa:2 łatwe:2 świetny:3 świetna:3 świetne:3 drogi:-2 droga:-2 drogie:-2 wolny:-1 wolna:-1 zły:-3 zła:-3 złe:-3 złej:-3 złego:-3 najlepszy:3 najlepsza:3 najlepsze:3 piękny:2 piękna:2 rozczarowany:-2 rozczarowani:-2 skarżą:-2',
  fi: 'kallis:-2 kalliita:-2 suosittelen:2 suositeltu:2 helppo:2 nopea:1 hidas:-2 luotettava:2 pettynyt:-2 pettyneitä:-2',
  id: 'mahal:-2 rekomendasi:2 direkomendasikan:2 mudah:2 cepat:1 lambat:-2 terbaik:3',
  ja: '便利:2 使いやすい:2 使いやすく:2 使いにくい:-2 残念:-2 遅い:-2 遅くて:-2 高い:0 安い:1 おすすめ:2 お勧め:2 優れ:2 人気:2 不満:-2',
  ko: '최고:3 불만:-2 실망:-2 편리:2 추천:2 나쁘:-3 좋은:3 좋다:3 좋습니다:3 빠르:1 느리:-2 비싸:-2 훌륭:3 인기:2',
  zh: '优秀:3 好:2 好用:2 推荐:2 受欢迎:2 可靠:2 方便:2 贵:-2 慢:-2 失望:-2 糟糕:-3 竞争:0',
  hi: 'बहुत:0 अच्छा:3 अच्छी:3 अच्छे:3 बेहतरीन:3 शानदार:3 खराब:-3 महंगा:-2 सस्ता:1 आसान:2 निराश:-2 खुश:2',
};
