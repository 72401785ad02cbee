import type { AbsenceWords } from './absence-words.ts';

export const french: AbsenceWords = {
  cues: `impossible|incapable|aucun| pas|rien|jamais|inconnu|introuvable|nulle part|sans |ni |absent|manqu|ignore`,
  parts: {
    adj: `fiables?|précis~|spécifiques?|concr[eè]t~|publi~|disponibles?|pertinente?s?|vérifi~|crédibles?|exploitables?|utiles?|claire?s?|directe?s?|détaillée?s?|officielle?s?|indépendante?s?|suffisante?s?|accessibles?|confirmée?s?|correspondante?s?|probante?s?|particuli[eè]re?s?|générales?|tangibles?|solides?|de fiable|de précis|de concret|de pertinent|de spécifique|publiquement|documentée?s?|quelconque|moindre|seule?|autres?`,
    noun: `(les|des|de|la)? (informations?|d'informations?|l'information|infos?|d'infos?|données?|détails?|résultats?|mentions?|sources?|références?|renseignements?|traces?|preuves?|d'éléments?|éléments?|occurrences?|connaissances?|d'indications?|indications?|précisions?)`,
    info: `(_ (ou|ni))? {adj}*2 {noun} (de recherche)? ({adj} (et|ou)?)*3 ((ou|et|ni) _ _?)?`,
    about: `sur|concernant|à propos de|à propos d'|à propos du|au sujet de|au sujet d'|au sujet du|de|d'|du|pour|relative?s? à|relatifs? à|à|quant à|au nom de|sous le nom de|sous le nom d'|mentionnant|se rapportant à|faisant référence à|spécifiques? à|portant sur|correspondant à|qui (mentionne|mentionnent|parle de|parlent de)`,
    time: `malheureusement|actuellement|pour le moment|pour l'instant|à ce jour|encore|également|non plus|toutefois|cependant|directement|spécifiquement|explicitement|personnellement|en fait|apparemment|tout simplement|hélas|du tout|ici|en revanche|y|en|{place}`,
    have: `ai|avons|a|ont|dispose|disposons|possède|possédons|trouve|trouvons|connais|vois|détiens|fournit|fournissent|contient|contiennent|donne|donnent|mentionne|mentionnent|propose|proposent|peux|pouvons|peut|existe|semble|sont|suis|apparaît|figure|renvoie|renvoient|offre|offrent|révèle|révèlent|parviens|comporte|comportent|parvient|inclut|incluent`,
    ne: `ne {have}|n'~ (a)?`,
    got: `trouvé|trouver|à trouver|pu|obtenu|obtenir|identifié|identifier|réussi|vu|repéré|repérer|accès|localiser|localisé|avoir|été|trouvée?s?|être|fait|donné|retourné|découvert|vérifier|recueillir|relevé|disponibles?|fourni|en mesure de`,
    negated: `{ne} {time}? (pas|jamais|plus) ({got}|{time})*4`,
    found: `(n'est|n'a|n'ont|ne sont|n'était|n'a pu|n'ont pu|n'existe|n'apparaît|n'est apparue?|ne figure|ne ressort) {time}? (pas)? (été|pu être|être)? (disponibles?|trouvée?s?|accessibles?|identifiée?s?|fournie?s?|connue?s?|présente?s?|localisée?s?|mentionnée?s?|retournée?s?|répertoriée?s?)?`,
    source: `résultats?|recherches?|sources?|documents?|données|bases?|connaissances?|contexte|articles?|textes?|internet|web|pages?|informations?|extraits?|références?|contenus?|corpus|éléments|sites?`,
    insource: `(dans|parmi|sur|à partir de|au sein de|selon|d'après|lors de|en|des|de) (les|mes|ces|cette|ma|mon|le|la|des|de|aucune?|aucune? de|toutes|tous|votre|vos|une?|l'ensemble)*3 (différente?s|deux|trois|quatre|cinq|premi[eè]re?s)? {source} (de (mes|la|ma|cette|votre)? _|d'entraînement|consultée?s?|disponibles?|fournie?s?|à ma disposition|trouvée?s?|que j'ai _|citée?s?|actuel~|obtenus|web|fiables|proposée?s?|analysée?s?|dont je dispose|vérifiées|publiques|mentionnée?s?)*3`,
    place: `{insource}|en ligne|nulle part`,
    none: `((aucune?|sans|pas|pas le|ni|nulle|{negated}) {info}|rien {adj}?)`,
    mentioned: `mentionnée?s?|citée?s?|répertoriée?s?|référencée?s?|listée?s?|évoquée?s?|présente?s?|trouvée?s?|nommée?s?|décrite?s?|incluse?s?|identifiée?s?`,
    mentions: `mentionne|mentionnent|cite|citent|contient|contiennent|évoque|évoquent|inclut|incluent|parle de|parlent de|parle d'|parlent d'|font référence à|fait référence à|fait mention de|font mention de|fait mention d'|font mention d'|disent|référence|référencent|répertorie|répertorient|nomme|nomment`,
    i: `je|j'|nous|on`,
    thing: `entreprise|société|marque|produit|service|outil|logiciel|plateforme|application|fournisseur|prestataire|fabricant|magasin|boutique|agence|organisation|start-up|startup|hôtel|restaurant|banque|nom|solution|site|terme|cabinet|enseigne|entité|éditeur`,
    topic: `pour ce qui est de|pour ce qui est d'|sur|concernant|à propos de|à propos d'|au sujet de|au sujet d'|quant à|s'agissant de|s'agissant d'|en ce qui concerne`,
  },
  intro: `ni|((la|le|une?|cette|cet|ce|d'une?|les) _?)? ({thing}|l'entreprise|d'entreprise|l'agence|l'application|l'outil|l'hôtel|l'organisation|l'enseigne|l'entité|l'éditeur|l'app|l'appli) _? (appelée?|nommée?|du nom de|du nom d'|dénommée?|baptisée?|intitulée?|portant le nom de|portant ce nom|qui s'appelle)?|la|le|l'|les`,
  and: `ainsi que`,
  prepositions: `de d' du des pour par chez sur avec à au en contre entre`,
  conjunctions: `que qu' car parce si puisque`,
  tail: `{place}|{found}|ne (sont|semble|semblent) pas disponibles?|disponibles?|et|ou|ni|mais|donc|car|qui|que j'aie|que je|que vous|pour|afin|en dehors|à ce jour|à ma connaissance|actuellement|pour le moment|pour l'instant|à ma disposition|permettant|alors|parce|puisque|malheureusement`,
  statements: `
    (aucune?|d'aucune?|sans|sans la|ni|nulle|zéro) {info} ({found}|{got})? {about} @ $
    {negated} {info} {got}? {place}? {about} @ $
    (n'y a|n'y avait|n'y a-t-il) pas {info} {about} @ $
    rien ({got}|de|d'|{adj})*4 {about} @ $
    (je|on|nous) ne (sais|sait|savons|connais) rien {about} @ $
    ^ ({about}|{topic}) @ ,? ({i}|il)? {time}? (ne|n'~|{have})*3 {none} ({found}|{got}|{place}|à ce sujet|à son sujet)*2 $
    ^ ({about}|{topic}) @ ,? _? {source} _*2 (n'en|n'y) {mentions}? (parlent|parle|mentionnent|font)? pas (mention|référence)? !
    {topic} @ ({i}|il)? {time}? (ne|n'~|{have})*3 {none} ({found}|{got}|{place})*2 $
    ^ ({about}|{topic}) @ ,? ({i}|il)? {time}? {ne} (pas|rien|aucune?) ({got}|{time})*3 {info}? ({got}|{place})? $
    {adj}*3 {noun} {about} @ ne (sont|semblent|figurent) pas {got}? (disponibles?|accessibles?|trouvable) (au public|publiquement)? $
    {adj}*3 {noun} {about} @ (n'est|n'a) pas {got}*2 $
    (je|nous|on) (ne|n'~) (connais|connaissons|reconnais|trouve|trouvons|vois)? (pas|jamais) ({got}|{time})*4 @ {place}? !
    ({ne}|n'ayant|n'est pas|ne pas)? (pas|aucune) (eu)? connaissance (de|d')? @ $
    (suis|sommes|être) pas {time}? (familier|familière|familiarisée?|familiers) avec @ $
    jamais entendu parler (de|d') @ $
    @ (m'est|nous est|m'étant) {time}? (totalement|complètement)? inconnue? $
    @ ne (m'est|nous est) pas (connue?|famili[eè]re?) $
    @ ne me dit (absolument)? rien !
    (aucune idée|sais pas|savons pas|ignore) (de)? ce (qu'est|que sont|qu'est-ce que) @ !
    (impossible|incapable) de (trouver|localiser|vérifier) {info}? {about}? @ $
    @ (n'a|n'ont) pas pu être (vérifiée?s?|trouvée?s?|identifiée?s?|confirmée?s?) $
    aucune? (de|des)? (mes|ces|les)? {source} _? ne (concernent?|concerne|correspond à|correspondent à|porte sur|parle de|se rapporte à) @ $
    (je|on|nous) ne (peux|peut|pouvons) rien (dire|affirmer) {about} @ $
    (manque|manquons) {info} {about} @ $
    ({none} {found}? {got}?|non trouvée?s?) (sur|pour)? : @ !
    j'ignore (tout (de|d')|ce qu'est) @ $
    sais pas ce (qu'est|que sont) @ $
    @ (n'apparaît|n'apparaissent|n'est|ne sont|ne figure|ne figurent|n'a|n'ont|ne semble|ne semblent|ne se trouve) {time}? (pas|jamais|nulle part) {time}? (être|été|apparaître|figurer)? {time}? {mentioned}? {insource} $
    @ (n'apparaît|n'apparaissent|ne figure|ne figurent|n'est mentionnée?|n'est citée?|ne sont mentionnée?s|n'est|ne sont) {time}? (dans|parmi|sur) aucune? (de|des)? (mes|ces|les)? {source} _*2 $
    @ (n'apparaît|n'apparaissent) {time}? (pas|nulle part) !
    @ (n'est|ne sont|n'a|n'ont) {time}? (pas|jamais) (été)? {time}? (mentionnée?s?|citée?s?) !
    @ (est|sont|reste) {time}? (introuvables?|absente?s?) {place}? !
    {insource} ne (mentionne|mentionnent|cite|citent) pas @ $
    ({source}|elles|ils) _*3 (ne|n'~) ({mentions}|font|fait)? pas (mention de|mention d'|référence à)? @ $
    aucune? (de|des)? (mes|ces|les)? {source} _*3 (ne|n'~) {mentions}? @ $
    (n'existe|n'existe pas|il n'y a|n'y a) (pas)? (aucune?|de|d')? {thing} _? (appelée?|nommée?|du nom de|du nom d'|dénommée?|portant le nom de) @ $
    aucune? {thing} ne (porte|portant) le nom (de|d') @ $
    (pas|aucune?|sans) _*4 (existence|l'existence) (de|d') @ !
    (pas|aucune?) _*4 (si|que|qu') @ existe (vraiment|réellement|bien)? $
    (recherche|recherches|requête) (sur|pour|concernant|de|d') @ {place}? (n'a|n'ont) (pas)? (donné|rien|retourné|produit|renvoyé|abouti|permis)*3 ({none}|rien)? !
    (cherché|recherché) (des informations sur)? @ ,? mais (je|nous)? (n'~)? {none} {got}? !
    @ : _*3 ({none} {found}? {got}?|non (trouvée?|mentionnée?|répertoriée?|disponible)|inconnue?|introuvable) {place}? !
  `,
};
