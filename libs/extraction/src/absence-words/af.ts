import type { AbsenceWords } from './absence-words.ts';

export const afrikaans: AbsenceWords = {
  cues: `geen|nie|niks|nooit|nêrens|onbekend|sonder`,
  parts: {
    adj: `betroubare|spesifieke|konkrete|relevante|openbare|beskikbare|toeganklike|geloofwaardige|bevestigde|geverifieerde|bruikbare|nuttige|duidelike|direkte|onafhanklike|gedetailleerde|enige|enkele|algemene|verdere`,
    noun: `inligting|data|besonderhede|resultate|soekresultate|bronne|bron|verwysing~|vermelding|kennis|bewyse|bewys|rekords?|treffers|spoor|feite`,
    info: `(_ of)? {adj}*3 {noun} ((of|en) _ _?)?`,
    about: `oor|van|vir|na|rakende|aangaande|met betrekking tot|rondom|op|onder die naam`,
    time: `ongelukkig|tans|op die oomblik|ook|hier|egter|maar|self|nog|ek|ons|my|daar|spesifiek|direk|glad|heeltemal|aanlyn|op die internet|{insource}`,
    verb: `gevind|vind|kry|kon|kan|het|is|was|beskikbaar|bekend|bevat|opgelewer|ontdek|word|gekry|opspoor|sien|verskyn|nie|te vinde|hê|raakgeloop|teëgekom|gelys|genoem|vermeld|weet`,
    source: `soekresultate|resultate|bronne|soektog~|dokumente|data|databasis|kennis|kennisbasis|opleidingsdata|konteks|artikels|teks|tekste|internet|web|bladsye|inligting|materiaal|webwerwe`,
    insource: `(in|uit|op|onder|binne|deur) (die|hierdie|my|enige|al|een van)*2 (van die)? (beskikbare|verskafde|gegewe|huidige|geraadpleegde|genoemde|gevonde|twee|drie|vier)*2 {source}`,
    none: `(geen {info}|niks|nie {info})`,
    thing: `maatskappy|handelsmerk|merk|onderneming|produk|diens|hulpmiddel|sagteware|platform|app|toep|verskaffer|vervaardiger|winkel|agentskap|organisasie|hotel|restaurant|bank|naam|oplossing|webwerf|firma|besigheid`,
    topic: `oor|rakende|aangaande|met betrekking tot|wat betref`,
  },
  intro: `nóg|((die|'n|hierdie|daardie) {adj}? _?)? {thing} (genaamd|met die naam|wat)? (heet)?|die|iets genaamd`,
  and: `asook|sowel as|nóg`,
  prepositions: `van vir by met oor deur na aan uit op om teen`,
  conjunctions: `dat omdat of as want`,
  tail: `{insource}|nie|gevind|vind|kry|beskikbaar|bekend|het nie|aanlyn|op die internet|hier|tans|op die oomblik|en|of|maar|dus|sodat|omdat|want|om|as|egter|wat ek|kon vind|opspoor|behalwe`,
  statements: `
    (geen|sonder|nie) (enige)? {info} ({verb}|{time})*3 {about} @ $
    niks ({verb}|{time})*3 {about} @ $
    {topic} @ ({verb}|{time})*6 {none} ({verb}|{time})*4 !
    ^ ({about}|wat) @ (betref)? ,? ({verb}|{time})*6 {none} ({verb}|{time})*4 !
    {adj}*3 {noun} {about} @ ({verb}|{time})*3 nie (beskikbaar|gevind|te vinde|bekend)? ({verb})*3 !
    @ ({verb}|{time}|kom|verskyn|word)*3 (nie|nêrens|nooit) {time}*2 ({insource}|genoem|vermeld|gelys|voor) ({verb}|voor)*3 !
    {insource} (word|kom|verskyn) @ (nie|nêrens) ({verb}|voor)*3 !
    (noem|vermeld|bevat|bespreek) @ (egter|glad)? nie !
    (geen|geeneen) (van)? (die|hierdie|my)? _*2 {source} (noem|vermeld|bevat|bespreek) @ $
    (ek|ons) (ken|kon|kan|het|sien|herken) {time}*2 @ {time}*2 nie ({verb}|{insource})*4 !
    (ken|kon|kan|het) (ek|ons) {time}*2 @ {time}*2 nie ({verb}|{insource})*4 !
    ^ @ (ken|kon|kan) (ek|ons) nie ({verb})*3 !
    @ is {time}*2 (vir (my|ons))? (nie (aan (my|ons))? bekend|onbekend) (aan|vir)? (my|ons)? (nie)? !
    (ek|ons) is {time}*2 (nie (bekend|vertroud)|onbekend) met @ $
    (ek weet nie|geen idee) (wat|wie) @ is (nie)? !
    @ sê (my|ons) niks nie !
    niks (oor|van) @ (sê|vertel) (nie)? !
    (nooit|nie) (tevore|voorheen)? (van|oor) @ gehoor
    van @ het (ek|ons) {time}*2 (nooit|nie) (tevore|voorheen)? gehoor
    geen {adj}? {thing} (genaamd|met die naam|wat|onder die naam) @ (heet)? $
    (nie|geen) _*4 (of|dat) @ (werklik|regtig)? bestaan $
    (ek|ons) ken nie @ $
    (na|vir) @ {insource}? (het|lewer) {time}*2 {none} ({verb})*3 (op)? !
    na @ gesoek ,? (maar|egter)? ({verb}|{time})*3 {none} ({verb}|{time})*3 !
    @ : ({verb}|{time})*4 ({none} ({verb}|{time})*3|nie (gevind|vermeld|genoem) (nie)?|onbekend) !
  `,
};
