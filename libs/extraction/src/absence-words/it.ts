import type { AbsenceWords } from './absence-words.ts';

export const italian: AbsenceWords = {
  cues: `manca|impossibil|non |nessun|nulla|niente|mai |sconosciut|senza |neanche|nemmeno|alcun|ne |assent|ignoto|privo`,
  parts: {
    adj: `affidabil[ei]|specific~|concret[oaei]|pubblic[oahei]|pubbliche|disponibil[ei]|rilevant[ei]|pertinent[ei]|verificat[oaei]|verificabil[ei]|credibil[ei]|util[ei]|chiar[oaei]|dirett[oaei]|dettagliat[oaei]|indipendent[ei]|sufficient[ei]|accessibil[ei]|confermat[oaei]|attendibil[ei]|precis[oaei]|general[ei]|alcun[oa]?|alcun'|nessun[oa]?|particolar[ei]|pubblicamente|certe|certi|sicure|utilizzabili|singol[oa]|minim[oa]`,
    noun: `(delle|dei|di|degli)? (informazion[ei]|info|dat[oi]|dettagli|dettaglio|risultat[oi]|menzion[ei]|font[ei]|riferiment[oi]|tracc[ei]a?|prov[ae]|conoscenz[ae]|notizi[ae]|riscontr[oi]|corrispondenz[ae]|element[oi]|indicazion[ei]|occorrenze|evidenz[ae]|citazion[ei])`,
    info: `(_ (o|né))? {adj}*3 ({noun}|nessun'informazione|alcun'informazione) (di ricerca)? ({adj} (e|o)?)*3 ((o|e|né) _ _?)?`,
    about: `su|sul|sulla|sull'|sui|sugli|riguardo|riguardo a|riguardo ad|riguardo alla|riguardanti|riguardante|relativ[eia] a|relativ[eia] alla|relativ[eia] ad|in merito a|in merito alla|circa|per|di|del|della|dell'|a proposito di|a nome|con il nome|in relazione a|a|ad|alla|all'|che (menzion[aoi]n?o?|parlino di|parlano di)|specifiche su|inerenti|con questo nome`,
    time: `purtroppo|attualmente|al momento|per ora|ancora|finora|anche|qui|direttamente|specificamente|esplicitamente|personalmente|neppure|nemmeno|tuttavia|online|mi|ci|si|ne|io|in rete|su internet|però|{insource}`,
    have: `sa|si sa|sappiamo|dicono|dice|ho|abbiamo|ha|hanno|trovato|trovata|trovate|trovati|trovo|troviamo|trovare|riesco a|riusciamo a|riuscito a|riuscita a|sono|è|siamo|stato|stata|state|stati|possibile|dispongo di|disponiamo di|dispongo|possiedo|posseggo|esistono|esiste|risultano|risulta|ci sono|c'è|emergono|emerse|emersa|emerge|vedo|individuato|individuare|rintracciato|reperito|reperire|reperito|ottenuto|disponibil[ei]|contengono|contiene|includono|include|forniscono|fornisce|riportano|riporta|offrono|offre|restituito|accesso a|accesso|prodotto|dato|a|avere|posso|potuto|rilevato|conosco|in grado di|so|presente|presenti|noto|nota|note|localizzare|compaiono|compare|vi sono|avendo`,
    source: `risultat[oi]|ricerche|ricerca|font[ei]|document[oi]|dati|database|conoscenz[ae]|contesto|articol[oi]|test[oi]|internet|web|pagin[ae]|informazioni|estratti|riferimenti|contenut[oi]|addestramento|materiale|materiali|rete|base|siti|portali`,
    insource: `(in|nei|nelle|nella|nel|negli|tra|fra|tra i|tra le|fra i|fra le|dai|dalle|dalla|da|sulla|su|secondo|dei|delle) (i|le|la|il|miei|mie|mia|mio|queste|questi|questa|nessun[oa]?|nessuna delle|nessuno dei|tutte|tutti|tue|una|alcuna|alcuna delle|delle|dei)*3 (divers[ei]|due|tre|quattro|cinque|prim[ie])? {source} (di ricerca|di dati|dei dati|di addestramento|di conoscenza|consultat[ei]|disponibil[ei]|fornit[oaei]|a mia disposizione|trovat[ei]|che ho _|citat[ei]|attual[ei]|ottenuti|web|affidabili|analizzat[ei]|esaminat[ei]|pubbliche|in mio possesso|della ricerca)*3`,
    place: `{insource}|online|da nessuna parte`,
    none: `((non ({have}|{time})*5|senza|nessun[oa]?|nessun') {info}|(non ({have}|{time})*5)? (nulla|niente) ({adj}|di _|{have})*2)`,
    mentioned: `menzionat[oaei]|citat[oaei]|elencat[oaei]|inclus[oaei]|nominat[oaei]|present[ei]|descritt[oaei]|riportat[oaei]|trovat[oaei]|indicat[oaei]`,
    mention: `menzionan?o?|citan?o?|contengono|contiene|includono|include|nominan?o?|riportan?o?|parlan?o? di|fanno riferimento a|fa riferimento a|fanno menzione di`,
    thing: `azienda|società|marca|marchio|prodotto|servizio|strumento|software|piattaforma|applicazione|app|fornitore|produttore|negozio|agenzia|organizzazione|startup|hotel|ristorante|banca|nome|soluzione|sito|termine|impresa|ditta|brand|realtà|programma|studio`,
    topic: `su|sul|sulla|sull'|riguardo a|in merito a|per quanto riguarda|quanto a|circa|a proposito di|relativamente a`,
  },
  intro: `né|sia|((la|il|lo|una?|questa|questo|un'|nessuna?|alcuna) _?)? ({thing}|l'azienda|un'azienda|dell'azienda|nessun'azienda|sull'azienda|all'azienda|l'app|un'app|dell'app|l'applicazione|un'applicazione|l'impresa|un'impresa|dell'impresa|l'organizzazione|un'organizzazione|l'agenzia|un'agenzia|l'hotel|un'attività) _? (chiamat[oa]|denominat[oa]|di nome|con il nome|con questo nome|noto come|nota come|che si chiami|che si chiama)?|la|il|lo|l'|i`,
  and: `nonché|e/o`,
  prepositions: `di del della dell' dei per da dal dalla con su sul sulla in nel nella contro al alla`,
  conjunctions: `che perché se poiché`,
  tail: `{place}|disponibil[ei]|(non)? (è|sono|è stata|sono state|risultano|risulta) {time}? (disponibil[ei]|trovat[ei]|reperibili|presenti)|e|o|né|ma|quindi|perciò|pertanto|perché|poiché|che (possa|mi|permetta|io|sia|ho|siano)|per|al di là|oltre|al momento|attualmente|per ora|finora|a mia disposizione|anche se|dato che|se non|purtroppo|in mio possesso`,
  statements: `
    non ({have}|{time})*5 {info} ({have}|{time})*3 {about} @ $
    (senza|nessun[oa]?|nessun'|zero|alcuna?) {info} ({have}|{time})*3 {about} @ $
    (nulla|niente) ({adj}|di _|{have})*2 (su|sul|sulla|sull'|riguardo a|a proposito di) @ $
    ^ ({about}|{topic}) @ ,? ({have}|{time})*3 {none} ({have}|{time}|al riguardo|in merito)*2 !
    {topic} @ ({have}|{time})*3 {none} ({have}|{time})*2 !
    {adj}*3 {noun} {about} @ non (sono|è|risultano|risulta) {time}? (disponibil[ei]|accessibil[ei]|state trovate|presenti|reperibili)? $
    non {time}*2 (conosco|conosciamo|riconosco|trovo|vedo|ho trovato|riesco a trovare|sono riuscito a trovare|sono riuscita a trovare|abbiamo trovato|ho individuato) @ {place}? !
    non (ho|abbiamo) {time}? (alcuna|nessuna)? (familiarità con|conoscenza di|notizia di) @ $
    (mai|non ho) (sentito|sentita) (parlare)? (di|della|del|dell'|nominare) @ $
    (mai|non) sentito nominare @ $
    non sono {time}? (a conoscenza di|al corrente di) @ $
    (non (so|sappiamo)|non ho idea di) (cosa|che cosa|chi) (sia|siano) @ !
    (impossibile|non è stato possibile|non sono riuscito a|non ho potuto) (trovare|verificare|individuare|confermare) {info}? {about}? @ $
    (nessuna?|nessuno) (delle|dei)? (mie|queste|miei|questi)? {source} _? (riguarda|corrisponde a|si riferisce a|parla di|tratta di) @ $
    non posso dire (nulla|niente) {about} @ $
    @ (mi|ci) è {time}? (completamente|del tutto)? sconosciut[oa] $
    @ non (mi|ci) dice (nulla|niente) !
    @ non (mi|ci) (è) {time}? (not[oa]|familiare|conosciut[oa]) !
    @ (non|neppure) {time}? (compare|compaiono|appare|appaiono|figura|figurano|risulta|risultano|viene|vengono|è|sono|si trova|sembra|è stata|è stato) {time}? (comparire|apparire|essere|nemmeno)? {mentioned}? {insource} $
    @ non {time}? (compare|appare|viene|vengono|è|è stat[oa])? {time}? (menzionat[oaei]|citat[oaei]|nominat[oaei]) !
    @ non (compare|appare|compaiono) !
    {insource} non (viene|è|compare|appare|si menziona|c'è|figura|risulta) (menzionat[oa]|citat[oa]|traccia di)? @ !
    ({source}|consultat[ei]|disponibil[ei]|fornit[ei]) _? non {mention} @ $
    (nessuna?|nessuno) (delle|dei)? (mie|queste|miei|questi)? {source} _*2 {mention} @ $
    (mancano|manca) {info} {about} @ $
    ({none} ({have})?|non trovat[oaei]) (su|per)? : @ !
    @ non (esiste|sembra esistere|risulta esistere) !
    non ({have}|{time}|potuto)*4 (esiste|risulta|c'è|mi risulta|conosco|sembra esistere|trovo|individuare|trovare|identificare|trovato|individuato) (alcuna?|alcun'|nessuna?|una|un'|nessun')? {adj}? ({thing}|alcun'azienda|nessun'azienda|un'azienda) _? (chiamat[oa]|denominat[oa]|di nome|con il nome|che si chiami) @ $
    non _*4 (se|che) @ (davvero|realmente)? (esista|esiste) $
    (non|nessuna?) _*4 (l'esistenza|dell'esistenza) di @ !
    (ricerca|ricerche) (di|su|per) @ {place}? non ({have}|{time}|portato)*3 ({info}|nulla|niente|risultati) !
    (cercato|cerco|cercando) (informazioni su)? @ {place}? ,? (ma|e|però) {none} !
    @ : _*3 ({none} ({have}|{time})*2|non (trovat[oa]|menzionat[oa]|disponibile|compare)|informazioni non disponibili|sconosciut[oa]) {place}? !
  `,
};
