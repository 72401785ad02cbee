import type { AbsenceWords } from './absence-words.ts';

export const danish: AbsenceWords = {
  cues: `ingen|intet|ikke|ingenting|ingen steder|aldrig|ukendt|hverken|mangler|uden |nul `,
  parts: {
    adj: `pålidelig~|troværdig~|specifik~|konkret~|relevant~|offentlig~|tilgængelig~|bekræfte~|verificere~|verificerbar~|brugbar~|nyttig~|tydelig~|direkte|uafhængig~|detaljere~|sikre|sikker|generel~|nogen|noget|nogle|som helst|nærmere|eneste|faktuel~|enkelt`,
    noun: `information|informationer|info|oplysninger|oplysning|data|detaljer|resultater|søgeresultater|kilder|kilde|omtale|omtaler|viden|kendskab|spor|henvisning~|reference~|beviser|bevis|fakta|hits|træffere|dokumentation`,
    info: `(_ eller)? {adj}*3 {noun} ((eller|og) _ _?)?`,
    about: `om|på|for|af|til|omkring|vedrørende|angående|ang.|under navnet|med navnet|der (nævner|omhandler)|som (nævner|omhandler)`,
    time: `desværre|i øjeblikket|på nuværende tidspunkt|lige nu|endnu|hidtil|også|her|dog|men|selv|jeg|vi|man|der|det|mig|os|specifikt|udtrykkeligt|direkte|overhovedet|personligt|heller|online|på nettet|på internettet|{insource}`,
    verb: `kunnet|siger|at|muligt|mulig|möjligt|finde|fundet|fandt|finder|findes|fandtes|har|havde|kan|kunne|tilgængelig~|kendt~|indeholder|gav|giver|at finde|se|ser|set|er|var|været|blev|lokalisere|støde på|stødt på|fremgår|kender|ved`,
    source: `søgeresultater~|resultater~|kilder~|kilde|søgning~|dokumenter~|data|database~|viden|vidensbase|træningsdata|kontekst~|artikler~|tekst~|internettet|nettet|sider~|oplysninger~|materiale~|uddrag~`,
    insource: `(i|af|fra|blandt|på|inden for|via|gennem) (de|den|det|disse|mine|min|mit|nogen|nogle|alle|en|et)*2 (af)? (de|mine)? (tilgængelige|angivne|givne|fundne|aktuelle|leverede|citerede|nævnte|ovenstående|vedlagte|to|tre|fire|fem)*2 {source} (jeg (har|fandt|fik))?`,
    none: `((ingen|intet|ikke (finde|fundet)? (nogen|nogle|noget)?|uden|nul) {info}|ingenting {adj}?|intet)`,
    appear: `nævnt|omtalt|med|op|frem|opført|listet|at finde|fundet|beskrevet|inkluderet`,
    thing: `virksomhed~|firma~|mærke~|brand~|selskab~|produkt~|tjeneste~|værktøj~|software~|platform~|app~|leverandør~|producent~|butik~|webshop~|bureau~|organisation~|hotel~|restaurant~|bank~|navn~|løsning~|hjemmeside~|udbyder~`,
    topic: `om|vedrørende|angående|hvad angår|når det gælder|med hensyn til`,
  },
  intro: `hverken|både|((den|det|et|en|dette|denne) {adj}? _?)? (noget|nogen)? {thing} ,? (der hedder|som hedder|med navnet|ved navn|kaldet)?|noget (der|som) hedder`,
  and: `samt|og/eller`,
  prepositions: `hos for fra med om af til på i ved mod`,
  conjunctions: `at fordi da hvis når`,
  tail: `{insource}|online|tilgængelig~|at finde|på (nettet|internettet)|her|i øjeblikket|lige nu|desværre|overhovedet|og|eller|men|så|fordi|da|for at|hvis|som jeg|som kan|der kan|ud over|udover|blev fundet|fundet|findes !|kunne findes|kunne jeg`,
  statements: `
    (ingen|intet|ikke|uden|nul|mangler) ({verb}|{time})*4 (nogen|nogle|noget|en eneste)? {info} ({verb}|{time})*3 {about} @ $
    (ingenting|intet) {adj}? ({verb}|{time})*3 (om|på) @ $
    (finder|fandt|ved|kender) (ikke) {time}*2 noget {adj}? om @ $
    ikke ({verb}|{time})*2 noget {adj}? om @ $
    {topic} @ ({verb}|{time})*6 {none} ({verb}|{time})*4 !
    ^ ({about}|{topic}) @ ,? ({verb}|{time})*6 {none} ({verb}|{time})*4 !
    {about} @ ({verb}|{time})*5 ikke (finde|fundet) (nogen|nogle|noget) {info}? !
    {adj}*3 {noun} {about} @ ({verb}|{time})*3 ikke (tilgængelig~|fundet|findes|at finde|finde)? $
    @ ({verb}|{time}|vises|forekommer|optræder|dukker op|dukker|fremgår|nævnes|omtales|bliver)*4 (ikke|ingen steder|aldrig) ({time}|op|frem)*2 ({insource}|{appear} {insource}?) $
    @ (nævnes|optræder|forekommer|fremgår) {time}*2 i ingen (af)? _*2 {source} $
    @ (nævnes|omtales|optræder) (ikke|aldrig|ingen steder) !
    {insource} (nævnes|omtales|findes|optræder|forekommer) (ikke|aldrig) @ !
    {insource} (nævnes|optræder|findes|omtales|fremgår|forekommer) {time}*2 @ (ikke|ingen steder|aldrig) !
    @ mangler {insource} !
    {none} ({verb})*2 (om|for)? : @ !
    (ingen anelse om|jeg ved ikke|ved jeg ikke) ,? (hvad|hvem) @ er !
    @ siger (mig|os) (ingenting|intet|ikke noget) !
    @ (kunne|kan) ikke (verificeres|findes|bekræftes|identificeres) $
    ingen af (mine|disse|de)? _? {source} (handler om|vedrører|omhandler) @ $
    (kan|kunne) (jeg)? ikke sige noget om @ $
    (nævner|indeholder|omtaler|omfatter) (ikke|aldrig) @ $
    ingen (af)? (de|kilderne|mine)? _*2 {source}? ,? (jeg|som jeg|der er)? _*2 ,? (nævner|omtaler|indeholder) @ $
    (jeg|vi) {time}? (kender|finder|fandt|kunne|kan|har|ser|genkender) {time}*2 ikke ({verb}|{time})*3 @ $
    (kender|finder|fandt|kunne|kan|har) (jeg|vi) {time}*2 ikke ({verb}|{time})*3 @ $
    (jeg|vi) {time}*2 ikke (kender|finder|fandt|kunne finde|har fundet) (til)? @ $
    (jeg|vi) (kender|har kendskab til) ikke (til)? @ $
    ^ @ (kender|finder|fandt|kunne|kan) (jeg|vi) ikke (til|finde)? !
    @ er {time}*2 (ukendt|ukendte|ikke (kendt|bekendt)|ikke noget jeg kender) (for (mig|os))? $
    (jeg|vi) er ikke {time}? (bekendt|fortrolig|bekendte) med @ $
    (jeg|vi) (har|havde) {time}? (aldrig|ikke) (tidligere|før)? hørt (om|tale om) @ $
    @ har (jeg|vi) {time}? (aldrig|ikke) hørt (om|tale om)
    (ingen|intet) {adj}? {thing} (der hedder|som hedder|med navnet|ved navn|kaldet) @ $
    (ikke|intet|ingen) _*4 ,? (om|at|for at) @ (faktisk|overhovedet|rent faktisk)? (findes|eksisterer) !
    (efter|på) @ {insource}? (gav|giver|returnerede|resulterede i) {time}? ({none}|ingen) $
    (søgt|søgte|ledte|ledt) efter @ ,? (men)? ({verb}|{time})*3 {none} ({verb})*2 !
    @ : ({verb}|{time})*4 ({none} ({verb}|{time})*3|ikke (fundet|nævnt|omtalt)|ukendt) !
  `,
};
