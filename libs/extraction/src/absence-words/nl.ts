import type { AbsenceWords } from './absence-words.ts';

export const dutch: AbsenceWords = {
  cues: `ontbre|geen|niet|niets|nergens|nooit|noch|onbekend|zonder`,
  parts: {
    adj: `betrouwbare?|specifieke?|concrete?|relevante?|openbare?|publieke?|publiek|openbaar|beschikbare?|toegankelijke?|geloofwaardige?|bevestigde|geverifieerde|verifieerbare|controleerbare|bruikbare?|nuttige?|duidelijke?|directe?|onafhankelijke?|gedetailleerde?|betekenisvolle|actueel beschikbare|enkele|enkel|passende|algemene|inhoudelijke|feitelijke|nadere`,
    noun: `informatie|info|gegevens|data|details|resultaten|resultaat|zoekresultaten|vermelding~|bronnen|bron|treffers|hits|kennis|spoor|sporen|verwijzing~|aanwijzing~|bewijs|bewijzen|inzichten|achtergrondinformatie|feiten|items`,
    info: `(_ of)? {adj}*3 {noun} (, _ _?)*2 ((of|en) _ _?)?`,
    about: `over|van|voor|naar|omtrent|betreffende|rond|rondom|met betrekking tot|ten aanzien van|aangaande|op|onder de naam|inzake|wat betreft|wat|genaamd|die (over)?`,
    time: `helaas|momenteel|op dit moment|tot nu toe|ook|hier|echter|maar|verder|zelf|nog|ik|we|wij|je|er|mij|me|ons|daarover|expliciet|specifiek|direct|persoonlijk|eigenlijk|helemaal|in het geheel|online|op internet|{insource}`,
    verb: `gevonden|vinden|vind|vond|vonden|te vinden|heb|hebben|had|is|zijn|was|waren|beschikbaar|bekend|kon|konden|kan|kunnen|bevat|bevatten|opgeleverd|opleveren|ontdekt|ontdekken|aangetroffen|aantreffen|beschik|bezit|worden|werd|werden|wordt|staan|staat|geven|terug|tegengekomen|verkrijgen|bevestigen|verifiëren|vermeld|opgenomen|aanwezig|terugvinden|achterhalen|zie|gezien|weet`,
    source: `zoekresultaten|resultaten|bronnen|bron|zoekopdracht~|documenten|document|gegevens|database|databank|kennis|kennisbank|trainingsdata|trainingsgegevens|context|artikelen|teksten|tekst|internet|web|pagina's|informatie|materiaal|websites|fragmenten|zoekmachine|passages|data`,
    insource: `(in|uit|op|onder|binnen|via|door|bij) (de|het|deze|dit|mijn|een|geen|alle|onze|een van)*2 (van de)? (beschikbare|verstrekte|gevonden|gegeven|huidige|geraadpleegde|genoemde|aangeleverde|opgegeven|geciteerde|aangehaalde|bovenstaande|doorzochte|twee|drie|vier|vijf|mij bekende)*2 {source}`,
    none: `(geen (enkele)? {info}|niets {adj}?|niks)`,
    appear: `voor|genoemd|vermeld|gevonden|opgenomen|besproken|te vinden|terug|aangetroffen|aanwezig|beschreven|geciteerd|behandeld`,
    thing: `bedrijf|merk|onderneming|product|dienst|tool|software|platform|app|leverancier|aanbieder|fabrikant|winkel|webwinkel|bureau|organisatie|start-up|startup|hotel|restaurant|bank|naam|oplossing|website|programma|zaak|firma`,
    topic: `over|omtrent|betreffende|met betrekking tot|ten aanzien van|aangaande|wat betreft|rond`,
  },
  intro: `zowel|noch|((de|het|een|dit|deze|dat) {adj}? _?)? {thing} (genaamd|met de naam|met als naam|dat|die|onder de naam)? (heet)?|de|het|iets genaamd`,
  and: `alsook|evenals|en/of`,
  prepositions: `van voor bij met over door naar aan uit op om tegen`,
  conjunctions: `dat omdat of als want`,
  tail: `{insource}|online|gevonden|vinden|te vinden|beschikbaar|bekend|kunnen (vinden|terugvinden|achterhalen)|terugvinden|bevatten !|heb !|hebben !|heb (kunnen|gevonden)|op internet|hier|momenteel|op dit moment|helaas|en|of|maar|dus|zodat|omdat|want|om|als|echter|dat ik|die ik|waarmee|behalve|aangetroffen|opgeleverd|ontdekken|tegengekomen|achterhalen`,
  statements: `
    (geen|zonder|nul) (enkele)? {info} ({verb}|{time})*3 {about} @ $
    beschik (niet|momenteel niet) over {info} {about} @ $
    @ zegt (me|mij|ons) niets !
    (ik weet {time}*2 niet|geen idee) (wat|wie) @ (is|zijn|inhoudt) !
    niet gelukt (om)? {info} {about} @ te vinden !
    @ (kon|konden) niet (worden)? (geverifieerd|gevonden|bevestigd) (worden)? $
    geen (van)? (de|deze|mijn)? _*2 {source} (gaat|gaan|heeft betrekking|hebben betrekking) (over|op) @ $
    (kan|kunnen) (ik)? niets (zeggen|vertellen) over @ $
    over @ (kan|kunnen) (ik|we) {time}? niets (zeggen|vertellen) !
    (niets|niks) {adj}? ({verb}|{time})*3 {about} @ $
    {topic} @ ({verb}|{time})*6 {none} ({verb}|{time})*4 !
    ^ {about} @ (betreft)? ,? ({verb}|{time})*6 {none} ({verb}|{time})*4 !
    {adj}*3 {noun} {about} @ ({verb}|{time})*4 niet (beschikbaar|gevonden|te vinden|vinden|bekend|aanwezig) $
    @ ({verb}|{time}|komt|komen|verschijnt|verschijnen|staat|lijkt)*4 (niet|nergens|nooit) {time}*2 ({insource} {appear}?|{appear}) $
    @ (wordt|worden|komt|komen|staat|staan|verschijnt) {time}*2 in geen (enkele|van de)? _? {source} {appear}? $
    (ik|we|wij)? (kon|konden|heb|vind|vond) (ik|we|wij)? {time}*2 @ in geen (enkele|van de|van mijn)? _? {source} {verb}*2 !
    {insource} ({verb}|komt|verschijnt) {time}*2 @ {time}*2 (niet|nergens) {appear}? !
    @ (ontbreekt|ontbreken) {insource} !
    (ontbreekt|ontbreken|mis) {time}*2 {info} {about} @ !
    {none} ({verb}|{time})*2 (over|voor)? : @ !
    niet gevonden : @ !
    (noemen|noemt|vermelden|vermeldt|bevatten|bevat|bespreken|bespreekt) @ (echter|helemaal)? niet !
    (geen|geen enkele) (van)? (de|deze|mijn)? _*2 {source} (noemt|noemen|vermeldt|vermelden|bevat|bevatten|bespreekt) @ $
    (ik|we|wij) (ken|kennen|kon|konden|kan|heb|hebben|vind|vond|zie|herken) {time}*2 @ {time}*3 niet ({verb}|{insource})*3 !
    (ken|kon|konden|kan|heb|vind|vond) (ik|we|wij) {time}*2 @ {time}*3 niet ({verb}|{insource})*3 !
    ^ @ (ken|kon|konden|kan|heb|vind|vond) (ik|we|wij) {time}*3 niet {verb}*2 !
    ik @ niet (ken|herken|kon vinden|heb gevonden|heb kunnen vinden) !
    @ (is|zijn) {time}*2 (mij|me|ons) {time}*2 (niet bekend|onbekend) $
    @ (is|zijn) {time}*2 (niet bekend|onbekend) (bij|voor) (mij|ons) $
    (ik|we|wij) (ben|zijn) {time}*2 niet (bekend|vertrouwd) met @ $
    (onbekend|niet bekend|niet vertrouwd) (ben|zijn)? met @ $
    (ben|zijn) (ik|wij|we) {time}*2 niet (bekend|vertrouwd) met @ $
    met @ (ben|zijn) (ik|wij|we) {time}*2 niet (bekend|vertrouwd) !
    (heb|hebben) (ik|we)? {time}*2 (nooit|niet|niets) (eerder)? (van|over) @ gehoord
    (nooit|niet|niets) (eerder)? (gehoord|gevonden) (van|over) @ $
    van @ (heb|hebben) (ik|wij|we) {time}*2 (nooit|niet) (eerder)? gehoord
    geen {adj}? {thing} (genaamd|met de naam|met als naam|dat|die|onder de naam) @ (heet)? $
    (niet|geen) _*4 (of|dat) @ (echt|daadwerkelijk|überhaupt|wel)? bestaat $
    (naar|op) @ {insource}? (leverde|leverden|levert|gaf|geeft|opgeleverd) {time}*2 ({none}|niets) {verb}? (op)? !
    naar @ (gezocht|gekeken) ,? (maar|echter)? ({verb}|{time})*3 {none} ({verb}|{time})*3 !
    @ : ({verb}|{time})*4 ({none} ({verb}|{time})*3|niet (gevonden|vermeld|genoemd|bekend)|onbekend) !
  `,
};
