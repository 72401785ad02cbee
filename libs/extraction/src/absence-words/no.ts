import type { AbsenceWords } from './absence-words.ts';

/** Bokmål and Nynorsk. */
export const norwegian: AbsenceWords = {
  cues: `ingen|inga|ikkje|ikke|ingenting|aldri|ukjen|verken|mangler|manglar|uten |utan |null `,
  parts: {
    adj: `pålitelig~|påliteleg~|troverdig~|spesifikk~|spesifikke|konkret~|relevant~|offentlig~|offentleg~|tilgjengelig~|tilgjengeleg~|bekrefte~|verifiser~|nyttig~|tydelig~|direkte|uavhengig~|detaljert~|detaljerte|sikker|sikre|generell~|noen|noe|nokon|noko|nærmere|eneste|som helst|allment`,
    noun: `informasjon|info|opplysning~|data|detaljer|detaljar|resultat~|søkeresultat~|kilder|kilde|kjelder|kjelde|omtale~|kunnskap|kjennskap|spor|henvisning~|referanse~|bevis|fakta|treff|dokumentasjon`,
    info: `(_ eller)? {adj}*3 {noun} ((eller|og) _ _?)?`,
    about: `om|på|for|av|til|rundt|angående|vedrørende|knyttet til|under navnet|med navnet|som (nevner|omhandler|omtaler)`,
    time: `dessverre|diverre|for øyeblikket|for tiden|akkurat nå|ennå|hittil|også|her|men|selv|jeg|eg|vi|man|det|meg|oss|spesifikt|uttrykkelig|direkte|i det hele tatt|personlig|heller|imidlertid|på nettet|på internett|{insource}`,
    verb: `kunnet|klart|sier|seier|å|muligt|mulig|möjligt|finne|funnet|fant|finner|finnes|finst|fantes|funne|finn|har|hadde|kan|kunne|tilgjengelig~|kjent|inneholder|inneheld|ga|gir|å finne|se|ser|sett|er|var|ble|vart|blei|lokalisere|komme over|kommet over|fremkommer|framgår|fremgår|kjenner|vet|klarte|klarer`,
    source: `søkeresultat~|resultat~|kilde~|kjelde~|søket|søkene|søk|dokument~|data|database~|kunnskap~|treningsdata~|kontekst~|artikler~|artiklar~|tekst~|internett|nettet|sider~|opplysning~|materiale~|utdrag~|informasjon~`,
    insource: `(i|av|fra|frå|blant|på|innenfor|via|gjennom) (de|den|det|dei|disse|mine|min|mitt|noen|nokon|alle|en|et|desse)*2 (av)? (de|mine)? (tilgjengelige|oppgitte|gitte|aktuelle|siterte|nevnte|vedlagte|to|tre|fire|fem)*2 {source} (jeg (har|fant|fikk))?`,
    none: `((ingen|inga|ikke (finne|funnet)? (noen|noe)?|ikkje (finne|funne)? (nokon|noko)?|uten|null) {info}|ingenting {adj}?)`,
    appear: `nevnt|omtalt|nemnt|med|opp|frem|fram|oppført|listet|å finne|funnet|beskrevet|inkludert`,
    thing: `selskap~|firma~|merke~|merkevare~|bedrift~|produkt~|tjeneste~|teneste~|verktøy~|programvare~|plattform~|app~|leverandør~|produsent~|butikk~|nettbutikk~|byrå~|organisasjon~|hotell~|restaurant~|bank~|navn~|løsning~|nettside~|tilbyder~|virksomhet~|aktør~`,
    topic: `om|angående|vedrørende|når det gjelder|med hensyn til`,
  },
  intro: `verken|hverken|både|((den|det|et|en|eit|ein|dette|denne) {adj}? _?)? (noe|noen|noko|nokon)? {thing} (som heter|som heiter|med navnet|ved navn|kalt)?|noe som heter`,
  and: `samt|og/eller`,
  prepositions: `hos for fra med om av til på i ved mot`,
  conjunctions: `at fordi da hvis når`,
  tail: `{insource}|tilgjengelig~|å finne|på (nettet|internett)|her|for øyeblikket|for tiden|dessverre|i det hele tatt|og|eller|men|så|fordi|siden|da|for å|hvis|som jeg|som kan|ut over|utover|ble funnet|funnet|finnes !|kunne jeg`,
  statements: `
    (ingen|inga|ikke|ikkje|uten|utan|null|mangler) ({verb}|{time})*4 (noen|noe|nokon|noko|en eneste)? {info} ({verb}|{time})*3 {about} @ $
    ingenting {adj}? ({verb}|{time})*3 (om|på) @ $
    (finner|fant|vet|kjenner|finn) (ikke|ikkje) {time}*2 (noe|noko) {adj}? om @ $
    (ikke|ikkje) ({verb}|{time})*2 (noe|noko) {adj}? om @ $
    {topic} @ ({verb}|{time})*6 {none} ({verb}|{time})*4 !
    ^ ({about}|{topic}) @ ,? ({verb}|{time})*6 {none} ({verb}|{time})*4 !
    {about} @ ({verb}|{time})*5 (ikke|ikkje) (finne|funnet|funne) (noen|noe|nokon|noko) {info}? !
    {adj}*3 {noun} {about} @ ({verb}|{time})*3 (ikke|ikkje) (tilgjengelig~|funnet|finnes|å finne|finne)? $
    @ ({verb}|{time}|vises|forekommer|dukker opp|dukker|fremgår|nevnes|omtales|blir|vert)*4 (ikke|ikkje|ingen steder|aldri) ({time}|opp|frem|fram)*2 ({insource}|{appear} {insource}?) $
    @ (nevnes|forekommer|omtales) {time}*2 i ingen (av)? _*2 {source} $
    @ (nevnes|omtales) (ikke|aldri|ingen steder) !
    {insource} (nevnes|omtales|finnes|forekommer) (ikke|ikkje|aldri) @ !
    {insource} (nevnes|finnes|omtales|fremgår|forekommer) {time}*2 @ (ikke|aldri|ingen steder) !
    @ mangler {insource} !
    {none} ({verb})*2 (om|for)? : @ !
    (ingen anelse om|jeg vet ikke|vet jeg ikke|eg veit ikkje) ,? (hva|hvem) @ er !
    @ sier (meg|oss) (ingenting|ikke noe) !
    @ (kunne|kan) ikke (verifiseres|finnes|bekreftes|identifiseres) $
    ingen av (mine|disse|de)? _? {source} (handler om|gjelder|omhandler) @ $
    (kan|kunne) (jeg)? ikke si noe om @ $
    (nevner|inneholder|omtaler|inneheld) (ikke|ikkje|aldri) @ $
    ingen (av)? (de|kildene|mine)? _*2 {source}? ,? (jeg|som jeg)? _*2 ,? (nevner|omtaler|inneholder) @ $
    (jeg|eg|vi) {time}? (kjenner|finner|fant|kunne|kan|har|ser|gjenkjenner|fann|finn|klarte) {time}*2 (ikke|ikkje) (å)? ({verb}|{time}|til|igjen)*3 @ $
    (kjenner|finner|fant|kunne|kan|har) (jeg|eg|vi) {time}*2 (ikke|ikkje) ({verb}|{time}|til)*3 @ $
    (jeg|eg|vi) {time}*2 (ikke|ikkje) (kjenner til|kjenner|finner|fant|kunne finne|har funnet) @ $
    ^ @ (kjenner|finner|fant|kunne|kan) (jeg|eg|vi) (ikke|ikkje) (til|finne)? !
    @ er {time}*2 (ukjent|ukjend|ikke (kjent|noe jeg kjenner til)) (for (meg|oss))? $
    (jeg|eg|vi) er (ikke|ikkje) {time}? (kjent|fortrolig) med @ $
    (jeg|eg|vi) (har|hadde) {time}? (aldri|ikke|ikkje) (tidligere|før)? (hørt|høyrt) (om|snakk om) @ $
    @ har (jeg|eg|vi) {time}? (aldri|ikke|ikkje) (hørt|høyrt) om
    (ingen|intet|ikke noe|ikke noen) {adj}? {thing} (som heter|med navnet|ved navn|kalt) @ $
    (ikke|ikkje|ingen) _*4 ,? (om|at|for at) @ (faktisk|virkelig)? (finnes|eksisterer) !
    (etter|på) @ {insource}? (ga|gir|returnerte|resulterte i) {time}? ({none}|ingen) $
    (søkt|søkte|lette|lett) etter @ ,? (men)? ({verb}|{time})*3 {none} ({verb})*2 !
    @ : ({verb}|{time})*4 ({none} ({verb}|{time})*3|ikke (funnet|nevnt|omtalt)|ukjent) !
  `,
};
