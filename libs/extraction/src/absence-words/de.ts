import type { AbsenceWords } from './absence-words.ts';

export const german: AbsenceWords = {
  cues: `schweig|erfolglos|ergebnislos|nirgend|fehl|kein|nicht|nichts|weder|unbekannt|nie gehört|niemals|ohne `,
  parts: {
    adj: `verlässlich~|zuverlässig~|belastbar~|konkret~|spezifisch~|genau~|öffentlich~|zugänglich~|verfügbar~|relevant~|aktuell~ verfügbar~|glaubwürdig~|gesichert~|bestätigt~|überprüfbar~|verifizierbar~|verifiziert~|verwertbar~|brauchbar~|nützlich~|aussagekräftig~|eindeutig~|passend~|direkt~|unabhängig~|näher~|detailliert~|einschlägig~|seriös~|vertrauenswürdig~|belegbar~|fundiert~|einzig~|allgemein~|hinreichend~|irgendwelche`,
    noun: `informationen|information|infos|angaben|daten|details|hinweise?|ergebnisse?|suchergebnisse|treffer|einträge|eintrag|erwähnung~|quellen?|kenntnis|kenntnisse|erkenntnisse|wissen|belege?|spur~|nennung~|einzelheiten|auskünfte|auskunft|anhaltspunkte?|referenzen|fundstellen?|hintergrundwissen|material|verweise?`,
    info: `(_ oder)? {adj}*3 {noun} (, _ _?)*2 ((oder|und|noch) _ _?)?`,
    about: `über|zu|zum|zur|von|vom|für|auf|bezüglich|hinsichtlich|betreffend|rund um|in bezug auf|mit bezug auf|zum thema|unter dem namen|namens|die sich auf|mit dem namen|herum`,
    neg: `kein|keine|keinen|keiner|keinem|keines|keinerlei|weder|null|ohne`,
    time: `leider|derzeit|aktuell|zurzeit|zur zeit|momentan|im moment|bisher|bislang|mir|uns|ich|wir|geben|kann|man|es|sich|auch|hier|dazu|jedoch|aber|allerdings|gar|überhaupt|noch|selbst|persönlich|direkt|explizit|ausdrücklich|namentlich|so|daher|da|öffentlich|online|im internet|im netz|{insource}`,
    verb: `finden|gefunden|finde|fand|fanden|findet|gibt|gab|habe|haben|hatte|vor|vorhanden|verfügbar|bekannt|ermitteln|ermittelt|entdecken|entdeckt|liefern|geliefert|liegen|lagen|liegt|existieren|existiert|konnte|konnten|kann|können|wurde|wurden|werden|wird|sind|waren|ist|war|besitze|besitzen|verfüge|stehen|steht|zur verfügung|enthalten|enthalten sind|abrufen|abrufbar|auffindbar|ausfindig machen|sehen|geben|lassen|ließen|liessen|verifizieren|bestätigen|nennen|sagen|zugänglich|zu finden|zurückgegeben|hinterlegt|aufgetaucht|geladen|vorliegen|vorliegend|zusammentragen|erhalten|bieten|bereitstellen|auf|weiß|weiss|wissen|herausfinden|herausgefunden|verlässliches|konkretes`,
    source: `{sourcenoun}|such~|quell~|daten~|trainings~|wissens~|kontext~|text~|dokument~|unterlagen|artikel~|beiträgen|treffer~|ergebnis~|internet|netz|web|suche|materialien|informationen|seiten|webseiten|websites|auszügen|passagen|angaben`,
    sourcenoun: `quellen|ergebnissen`,
    insource: `(in|im|unter|aus|bei|auf|laut|innerhalb|anhand) (den|der|dem|diesen|dieser|diesem|meinen|meiner|meinem|einer|einem|keiner|irgendeiner|allen|des|ihren|unseren)*2 (mir)? (_ (zur verfügung stehenden|vorliegenden)|vorliegenden|vorliegenden|verfügbaren|bereitgestellten|gefundenen|genannten|aktuellen|zitierten|angegebenen|durchsuchten|geprüften|abgerufenen|ausgewerteten|konsultierten|oben genannten|mir vorliegenden|zugänglichen|mitgelieferten|zwei|drei|vier|fünf)*2 {source}`,
    none: `({neg} {info}|nichts {adj}?)`,
    appear: `auf|vor|erwähnt|genannt|aufgeführt|gelistet|aufgelistet|enthalten|behandelt|gefunden|auffindbar|vertreten|zu finden|angeführt|verzeichnet|beschrieben|thematisiert|zitiert|vorhanden`,
    thing: `firma|unternehmen|marke|anbieter|produkt|dienst|tool|software|plattform|app|hersteller|händler|shop|agentur|organisation|start-up|startup|hotel|restaurant|bank|begriff|name~|lösung|website|programm|werkzeug|geschäft|dienstleister|dienstleistung|konzern|verein|unternehmens|anbieters|produkts|herstellers|dienstes|händlers`,
    topic: `über|zu|zum|zur|bezüglich|hinsichtlich|betreffend|in bezug auf|was`,
  },
  intro: `weder|sowohl|((die|der|das|den|dem|des|ein|eine|einen|einem|einer|eines|diese|dieser|diesem|diesen) {adj}? _? )? (kein|keine|keinen)? {thing} (namens|mit dem namen|unter dem namen|mit namen|mit der bezeichnung|wie)?|die|der|das|den|dem|etwas namens|eine gewisse`,
  and: `sowie|und/oder|beziehungsweise|bzw.`,
  prepositions: `von vom für bei beim zu zum zur mit über aus an am auf durch gegen um nach der des den dem einer eines einem`,
  conjunctions: `dass weil da ob wenn denn`,
  tail: `{insource}|online|sagen|berichten|mitteilen|herausfinden|finden|gefunden|sagen|berichten|herausfinden|ermitteln|entdecken|liefern|habe !|habe und|haben !|hatte !|bekannt|vorhanden|verfügbar|zur verfügung|besitze|verfüge|enthalten|auffindbar|abrufen|abrufbar|ausfindig|liegen (mir|uns)|vorliegen|vor !|vor und|vor ,|sehen|nennen|geben !|gibt !|gibt es|gab es|konnte (ich|man)|wurden? (ich|keine|leider|nicht)|zu finden|zurück|bieten !|erwähnt|erwähnen|nennen|hier|derzeit|aktuell|zurzeit|momentan|bisher|bislang|leider|und|oder|aber|sodass|so dass|da|weil|denn|um|als|jedoch|daher|die mir|die ich|die es|mehr|außer|ausser`,
  statements: `
    {neg} {info} ({about}|, die) @ $
    {neg} {info} {insource} {about} @ $
    {neg} {info} {verb}*3 ,? {about} @ $
    nichts {adj}? ({verb}|{time})*2 {about} @ $
    {topic} @ ({verb}|{time})*6 {none} ({verb}|{time}|{insource})*3 !
    ^ ({about}|was) @ (betrifft|angeht)? ,? ({verb}|{time})*6 {none} ({verb}|{time}|{insource})*3 !
    {topic} @ ({verb}|{time})*6 nicht (viel)? (bekannt|gehört) !
    {adj}*3 {noun} {about} @ ({verb}|{time})*4 nicht (öffentlich)? (verfügbar|vorhanden|auffindbar|zu finden|gefunden werden|finden|enthalten|bekannt|vor) $
    @ (_ )? ({verb}|{time}|taucht|tauchen|erscheint|erscheinen|kommt|kommen|findet|scheint)*5 (nicht|nirgends|nirgendwo|nie) {time}*2 ({insource} {appear}?|{appear}) $
    @ (wird|werden|taucht|tauchen|erscheint|erscheinen|kommt|kommen|ist|sind|findet sich|finden sich) {time}*3 (in keiner|in keinem|in keinen|auf keiner) (der|einzigen)? _? {source} {appear}? $
    {insource} ({verb}|taucht|erscheint|kommt|findet) {time}*2 @ {time}*2 (nicht|nirgends) {appear}? !
    (fehlt|fehlen) {time}*2 {topic} @ (jegliche|sämtliche|alle|die|mir)*2 {info} !
    {topic} @ (fehlt|fehlen) {time}*2 (jegliche|sämtliche|alle|die)? {info} !
    @ ({verb}|taucht|erscheint|kommt) {time}*3 in (keiner|keinem|keinen) (einzigen|der|dieser|meiner)*2 _? {source} ({appear}|{verb})? !
    (fehlen|fehlt) {time}*2 {info} {about} @ !
    {none} ({verb}|{time})*2 ({topic})? : @ !
    nicht gefunden : @ !
    {insource} (fehlt|fehlen) @ !
    @ (fehlt|fehlen) {insource} !
    @ (findet|finden) {time}*3 keine erwähnung !
    (erwähnt|erwähnen|nennt|nennen|enthält|enthalten|listet|listen|führt|führen) @ (gar|überhaupt|jedoch|allerdings|aber)? nicht (auf)? !
    (keine?r?|keines|keinem) (der|dieser|meiner|von) _*3 ({source}|{sourcenoun}) (erwähnt|nennt|enthält|behandelt|führt|listet|kennt) @ $
    (ich|wir) (kenne|kennen|konnte|konnten|finde|finden|fand|sehe|habe|haben) {time}*2 @ ({time}|{verb})*3 nicht (finden|gefunden|verifizieren|identifizieren|ausfindig machen|zuordnen|bestätigen|ermitteln|gekannt)? {insource}? !
    (konnte|konnten|kann|können|habe|haben|kenne|finde) (ich|wir) {time}*2 @ ({time}|{verb})*3 nicht (finden|gefunden|verifizieren|identifizieren|ausfindig machen|zuordnen|bestätigen|ermitteln|gekannt)? !
    ^ @ ({verb}|kenne|kennen)? (ich|wir) ({time}|{verb})*3 nicht (finden|gefunden|verifizieren|identifizieren|ausfindig machen|zuordnen|bestätigen|ermitteln|gekannt)? !
    (ich|wir) {time}*2 @ {time}*2 nicht (kenne|kennen|finden (konnte|konnten|kann)|gefunden (habe|haben)) !
    @ (ist|sind) (mir|uns) {time}*3 (nicht (bekannt|geläufig|vertraut)|unbekannt|kein begriff) $
    @ (sagt|sagen) (mir|uns) {time}*2 nichts !
    (ist|sind) (mir|uns) {time}*2 @ {time}*2 (nicht (bekannt|geläufig|vertraut)|unbekannt|kein begriff) $
    (mir|uns) (ist|sind) {time}*2 ({neg} {adj}? @ bekannt|@ {time}*2 (nicht (bekannt|geläufig|vertraut)|unbekannt|kein begriff)) $
    mit @ (bin|sind) (ich|wir) {time}*2 nicht (vertraut|bekannt)
    (ich|wir) (bin|sind) {time}*2 mit @ {time}*2 nicht (vertraut|bekannt)
    (habe|haben|hatte) (ich|wir)? {time}*3 (nie|niemals|nichts) (etwas)? (von|über) @ (gehört|gefunden|gelesen)
    von @ (habe|haben) (ich|wir) {time}*3 (nie|niemals|nichts) (etwas)? gehört
    {neg} {adj}? {thing} (namens|mit dem namen|unter dem namen) @ $
    @ (ist|sind)? {time}*2 {neg} mir bekannte~ _? !
    (ich weiß {time}*2 nicht|weiß ich {time}*2 nicht|keine ahnung) ,? (was|wer) @ (ist|sind|macht) !
    @ (konnte|konnten) {time}*2 nicht (verifiziert|bestätigt|gefunden|identifiziert|überprüft) werden $
    (keine?|keines|keiner) (der|dieser|meiner) _? {source} (bezieht sich|beziehen sich|handelt|handeln) (auf|von) @ $
    (schweigen|schweigt) (sich)? (zu|über) @ !
    (zu|von|über) @ fehlt {time}*2 jede spur !
    (ich|wir)? kann (ich|wir)? {time}*2 (zu|über) @ {time}*2 nichts (sagen|berichten|mitteilen) !
    @ {time}? (weggelassen|ausgelassen|ausgeklammert) ,? (weil|da) ({time}|{verb})*3 {none} ({verb})*3 !
    nicht gelungen ,? {info} {about} @ zu finden !
    @ habe ich (weggelassen|ausgelassen|nicht berücksichtigt) ,? (weil|da) ({time}|{verb})*4 {none} ({verb})*3 !
    (nicht|keine|keinen) _*4 ,? (ob|dass) @ {time}? (überhaupt|tatsächlich|wirklich)? existiert !
    ob @ (überhaupt|tatsächlich|wirklich)? existiert ,? _*4 nicht _*2 !
    {topic} @ ({verb}|{time})*3 (die|meine|diese) _? {source} {none} !
    in (keiner|keinem|keinen) (der|dieser|meiner)? _? {source} (wird|werden|taucht|erscheint|kommt|ist) @ {appear} !
    (nach|zu) @ (ergab|ergaben|lieferte|lieferten|liefert|ergibt|brachte|blieb|war) {time}*2 ({none}|ohne (ergebnis|treffer)|ergebnislos|erfolglos) {verb}*2 $
    (nach|zu) @ (gesucht|recherchiert) ,? (aber|jedoch|doch)? ({time}|{verb})*4 {none} ({time}|{verb})*3 !
    @ : ({verb}|{time})*4 ({none} ({verb}|{time})*3|nicht (gefunden|erwähnt|bekannt)|unbekannt) !
  `,
};
