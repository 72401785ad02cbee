import type { AbsenceWords } from './absence-words.ts';

export const swedish: AbsenceWords = {
  cues: `ingen|inga|inget|inte|ingenting|ingenstans|aldrig|okän|varken|saknas|saknar|utan |nämns ej`,
  parts: {
    adj: `tillförlitlig~|pålitlig~|specifik~|konkret~|relevant~|offentlig~|tillgänglig~|trovärdig~|bekräftad~|verifierad~|verifierbar~|användbar~|tydlig~|direkt~|oberoende|detaljerad~|säker|säkra|säkert|allmän~|några|någon|något|som helst|enda|närmare|allmänt`,
    noun: `information|info|uppgifter|uppgift|data|detaljer|resultat|sökresultat|källor|källa|träffar|träff|omnämnande~|kunskap|kunskaper|kännedom|spår|referenser|hänvisning~|bevis|belägg|fakta|sökträffar|underlag`,
    info: `(_ eller)? {adj}*3 {noun} ((eller|och) _ _?)?`,
    about: `om|på|för|av|till|kring|angående|gällande|rörande|beträffande|avseende|under namnet|med namnet|som (nämner|rör)`,
    time: `tyvärr|för närvarande|just nu|ännu|hittills|också|här|dock|men|själv|jag|vi|man|det|mig|oss|specifikt|uttryckligen|direkt|ens|alls|över huvud taget|överhuvudtaget|personligen|heller|online|på nätet|på internet|{insource}`,
    verb: `känt|säger|att|muligt|mulig|möjligt|hitta|hittat|hittade|hittar|hittades|hittats|finns|fanns|finna|funnit|har|hade|kan|kunde|kunnat|tillgänglig~|känd~|innehåller|gav|ger|upptäcka|upptäckt|att hitta|att tillgå|se|ser|sett|är|var|lyckats|lyckades|lokalisera|få fram|tas upp|nämns|framkom|framkommer|vet`,
    source: `sökresultat~|resultat~|källor|källorna|källa|sökningen|sökning|sökningar|dokument~|data|databas~|kunskap~|kunskapsbas|träningsdata|kontexten|artiklar~|texten|texter~|internet|webben|sidor~|information~|material~|underlaget|träffar~|utdragen`,
    insource: `(i|ur|från|bland|på|inom|via|genom) (de|den|det|dessa|mina|min|mitt|några|någon|något|alla|en|ett)*2 (av)? (de|mina)? (tillgängliga|angivna|givna|hittade|aktuella|tillhandahållna|citerade|refererade|ovanstående|bifogade|tillgängliga|två|tre|fyra|fem)*2 {source} (jag (har|hittade|fått))?`,
    none: `((ingen|inga|inget|inte (hitta)? (någon|några|något)|utan|ej) {info}|ingenting {adj}?|inte något|inget)`,
    appear: `nämnd~|nämns|med|upp|omnämnd~|listad~|att hitta|hittas|omtalas|beskrivs|tas upp`,
    thing: `företag~|varumärke~|bolag~|produkt~|tjänst~|verktyg~|programvara~|mjukvara|plattform~|app~|leverantör~|tillverkare~|butik~|byrå~|organisation~|hotell~|restaurang~|bank~|namn~|lösning~|webbplats~|sajt~|märke~|aktör~`,
    topic: `om|angående|gällande|rörande|beträffande|när det gäller|vad gäller`,
  },
  intro: `varken|både|((den|det|ett|en|detta|denna) {adj}? _?)? (något|någon)? {thing} (som heter|med namnet|vid namn|kallat|kallad|kallas)?|något som heter`,
  and: `liksom|och/eller|respektive`,
  prepositions: `hos för från med om av till på i vid mot`,
  conjunctions: `att eftersom om då när`,
  tail: `{insource}|online|tillgänglig~|att (hitta|tillgå)|på (nätet|internet)|här|för närvarande|just nu|tyvärr|alls|överhuvudtaget|och|eller|men|så|eftersom|då|för att|om|som jag|som kan|än|utöver|hittades|hittats|finns !|kunde (hittas|jag)`,
  statements: `
    (ingen|inga|inget|inte|utan|noll|saknar|saknas|ej) ({verb}|{time})*4 (någon|några|något|en enda)? {info} ({verb}|{time})*3 {about} @ $
    (ingenting|inget) {adj}? ({verb}|{time})*3 (om|kring|på) @ $
    (hitta|hittar|hittade|hittat|vet|veta) (inte|ej) {time}*2 (något|någonting) {adj}? om @ $
    inte (hitta|hittat) (något|någonting) {adj}? om @ $
    {topic} @ ({verb}|{time}|saknar|saknas)*6 {none} ({verb}|{time})*4 !
    ^ ({about}|{topic}) @ ,? ({verb}|{time}|saknar|saknas)*6 {none} ({verb}|{time})*4 !
    {about} @ (saknas|saknar) (jag|vi)? (det)? {time}*2 {info} $
    {about} @ ({verb}|{time})*4 inte (hitta|hittat) (någon|några|något|någonting) {info}? !
    {adj}*3 {noun} {about} @ ({verb}|{time})*3 (inte|saknas|ej) (tillgänglig~|hittas|hitta|finns|att hitta)? $
    @ ({verb}|{time}|visas|förekommer|dyker upp|syns|nämns|omnämns|tas|listas|dyker)*4 (inte|ingenstans|aldrig|ej) ({time}|upp|fram)*2 ({insource}|{appear} {insource}?) $
    @ (förekommer|nämns|omnämns|dyker upp|finns med) {time}*2 i (ingen|inget|inga) (av)? _*2 {source} $
    @ (nämns|omnämns|förekommer) (inte|ej|aldrig|ingenstans) !
    {insource} (nämns|omnämns|finns|förekommer) (inte|ej|aldrig) @ !
    {insource} (nämns|förekommer|finns|omnämns|syns) {time}*2 @ (inte|ej|ingenstans|aldrig) (med)? !
    @ saknas {insource} !
    {none} ({verb})*2 (om|för)? : @ !
    (ingen aning om|jag vet inte|vet jag inte) ,? (vad|vem) @ är !
    @ säger (mig|oss) (ingenting|inget) !
    @ (kunde|kan) inte (verifieras|hittas|bekräftas|identifieras) $
    (inget|ingen|inga) av (mina|dessa|de)? _? {source} (handlar om|gäller|rör|avser) @ $
    (kan|kunde) (jag)? inte säga (något|någonting) om @ $
    (nämner|innehåller|omnämner|tar upp) (inte|ej|aldrig) @ $
    (ingen|inget|inga) (av)? (de|källorna|mina)? _*2 {source}? ,? (jag|som jag)? _*2 ,? (nämner|omnämner|innehåller|tar upp) @ $
    (jag|vi) {time}? (känner|hittar|hittade|kunde|kan|har|ser) {time}*2 inte ({verb}|igen|till|{time})*3 @ $
    (känner|hittar|hittade|kunde|kan|har) (jag|vi) {time}*2 inte ({verb}|igen|till|{time})*3 @ $
    (jag|vi) {time}*2 inte (känner (till|igen)|hittar|hittade|kunde hitta|har hittat) @ $
    ^ @ (känner|hittar|hittade|kunde|kan) (jag|vi) (inte|ej) (till|igen|hitta)? !
    @ är {time}*2 (okänt?|okända|obekant|inte (känt?|bekant)|inget jag känner till) (för (mig|oss)) $
    (jag|vi) är (inte|ej) {time}? (bekant|bekanta|förtrogen) med @ $
    (jag|vi) (har|hade) {time}? (aldrig|inte) (tidigare)? hört talas om @ $
    (hört talas om|känner till) (inte)? @ (förut|tidigare)? inte !
    @ har (jag|vi) {time}? (aldrig|inte) hört talas om
    (inget|ingen) {adj}? {thing} (som heter|med namnet|vid namn|kallat|kallad) @ $
    (inte|inga|inget) _*4 ,? (om|att|för att) @ (verkligen|faktiskt|ens)? (finns|existerar) !
    (efter|på) @ {insource}? (gav|ger|returnerade|resulterade i) {time}? ({none}|inga träffar|inget) $
    (sökt|sökte|letade|letat) efter @ ,? (men)? ({verb}|{time})*3 {none} ({verb})*2 !
    @ : ({verb}|{time})*4 ({none} ({verb}|{time})*3|(hittades|nämns|finns) (inte|ej)|inte (hittad|nämnd)|okänt?) !
  `,
};
