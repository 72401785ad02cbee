import type { AbsenceWords } from './absence-words.ts';

export const finnish: AbsenceWords = {
  cues: `vieras|ei |eika|eivat|en |emme|mitaan|tuntematon|yksikaan|vailla|ilman |puuttu|minka`,
  parts: {
    adj: `luotettav~|tarkk~|tarkemp~|julki~|julkista|julkisesti|saatavilla olev~|olennai~|vahvistet~|varmennet~|varmaa|selke~|suor~|suoraa|riippumat~|hyödylli~|yleis~|mitään|minkäänlais~|yhtään|yhtäkään|riittäv~|osuvia|sopiv~|konkreettis~|yksityiskohtai~|ajantasai~|asiaankuuluv~|todennettav~|lainkaan|ainuttakaan`,
    noun: `tieto[aj]a?|tietoa|tietoja|tiedot|tietoihin|dataa|yksityiskohtia|tuloksia|tulosta|hakutuloksia|mainintoja|mainintaa|lähteitä|lähdettä|viittauksia|viittausta|osumia|osumaa|todisteita|merkintöjä|jälkeä|jälkiä|havaintoja|tietämystä|aineistoa|viitteitä`,
    info: `(_ tai)? {adj}*3 {noun} ((tai|ja|eikä) _ _?)?`,
    about: `koskien|liittyen|aiheesta|koskevaa|koskevia|nimellä|haulla|haulle|liittyviä|liittyvää`,
    time: `valitettavasti|tällä hetkellä|nyt|vielä|toistaiseksi|myös|myöskään|täältä|suoraan|erikseen|nimenomaisesti|henkilökohtaisesti|kuitenkaan|kuitenkin|verkosta|netistä|internetistä|minulla|meillä|minulle|minä|me|siitä|ollenkaan|lainkaan|julkisesti|{insource}`,
    have: `kerro|kertonut|löytänyt|löytäneet|löydä|löydy|löytynyt|löytyneet|löytyisi|ole|ollut|saatavilla|saatavana|tiedossa|käytettävissä|onnistunut löytämään|löytämään|pystynyt löytämään|pysty löytämään|voi löytää|voinut löytää|sisällä|sisältäneet|tarjoa|anna|antanut|tuottanut|näe|nähnyt|saanut|havainnut|tunne|tiedä|mainitse|tuntenut|esitetä|hallussani|mainita|palauttanut|pystynyt vahvistamaan|tunnista`,
    not: `en|ei|emme|eivät|eikä`,
    source: `hakutulo~|tulok~|lähte~|lähde~|lähtei~|hauissa|haussa|haku|asiakirjo~|dokument~|dato~|dataan|datassa|tietokan~|tietämyk~|kontekst~|artikkel~|teks[t]~|internetistä|verkosta|sivuil~|sivustoil~|tiedoi~|tietoihin|aineisto~|materiaal~|koulutusdata~|katkelmi~`,
    insource: `(näissä|näistä|noissa|missään|mistään|käyttämissäni|käytettävissä olevissa|käytettävissäni olevissa|saatavilla olevissa|saatavilla olevista|annetuissa|annetuista|löytämissäni|löydetyissä|minun|tarkistamissani|viitatuissa|esitetyissä|tarjotuissa|nykyisissä|omissa|yhdessäkään)*2 {source}`,
    place: `{insource}|verkosta|netistä`,
    thing: `yrity[sk]~|yhtiö~|brändi~|merk[ik]~|tuot[et]~|palvelu~|työkalu~|ohjelmist~|alusta~|sovellu~|toimittaj~|valmistaj~|kaup[ap]~|myymäl~|verkkokaup~|toimisto~|organisaatio~|hotelli~|ravintola~|pank[ik]~|nime~|ratkaisu~|sivusto~|firma~|startup~|tuotemerk~`,
    mention: `mainita|mainittu|mainitse|esiinny|näy|löydy|ole mukana|ole listattu|käsitellä|ole mainittu|löytynyt|esiintynyt|näkynyt|ilmene|nouse esiin|tule esiin|tule esille|ole`,
  },
  intro: `((sellaista|mitään|tätä|tästä|tämännimi~|se) _?)? {thing} (nimeltä|nimeltään|nimellä|jonka nimi on)?|nimeltä`,
  and: `sekä|ja/tai`,
  endings: 'sta n a ta ssa lle lla lta en een in iin hin han on an na ksi itta ista ia',
  tail: `{place}|saatavilla|ei {have}*2|ja|tai|eikä|mutta|joten|koska|sillä|jotta|jonka|jotka|joita|jota|muuta|tällä hetkellä|valitettavasti|kuitenkaan|vaikka|lainkaan|ollenkaan`,
  statements: `
    {not} ({have}|{time})*5 {info} ({have}|{time}|{place})*3 {about}? @ {about}? $
    {noun} {not} ({have}|{time})*3 {about}? @ {about}? $
    ilman {info} {about}? @ {about}? $
    {not} ({have}|{time})*4 mitään {adj}? {about}? @ $
    @ ({thing})? {about}? ,? ({time}|{have})*4 {not} ({have}|{time})*4 ({info}|mitään) ({have}|{time})*3 !
    {about} @ ,? ({time}|{have})*4 {not} ({have}|{time})*4 ({info}|mitään) ({have}|{time})*3 !
    @ {about}? {noun} {not} (ole|löytynyt|löydy) {time}? (saatavilla|käytettävissä)? $
    {noun} @ {about}? {not} (ole|löytynyt|löydy) {time}? (saatavilla|käytettävissä)? $
    (minulla|meillä) {not} ole {time}? {info} {about}? @ {about}? $
    (en|emme) {time}? (tunne|löydä|löytänyt|löytäneet|tunnista|näe|tiedä|pystynyt löytämään|onnistunut löytämään) {time}? @ {place}? !
    (en|emme) {time}? (ole|ollut) {time}? (koskaan)? (kuullut|kuulleet|perehtynyt|tietoinen|törmännyt) @ $
    en tiedä ,? (mikä|kuka) @ on !
    @ (ei ole|eivät ole) {time}? (minulle|meille) {time}? (tuttu|tuttuja|ennestään tuttu) $
    @ (ei ole) tuttu minulle $
    @ on (minulle|meille) {time}? (täysin)? (tuntematon|vieras) $
    @ {not} {time}? {mention} {time}? (mainittu)? {insource} $
    @ {not} {time}? (mainita|mainittu|ole mainittu|esiinny) !
    @ {not} (mainita|esiinny|näy|löydy) (missään|yhdessäkään|mistään) _? {source} $
    {insource} {not} {time}? (mainita|mainittu|esiinny|näy|ole|käsitellä|löytynyt) @ !
    {source} {not} {time}? (mainitse|sisällä|käsittele|mainita|listaa) @ $
    (yksikään|mikään) _*2 ({source}|lähde) {not} (mainitse|sisällä|käsittele) @ $
    @ ei sano minulle (mitään) !
    (yksikään|mikään) {source} ei koske @ $
    (en|emme) osaa sanoa (mitään)? @ !
    @ ei (näytä olevan|ole) olemassa !
    @ (nimistä|nimisestä|nimisen) {thing} {time}*2 {not} ({have}|{time})*3 {info}? !
    {not} (ole|löydy|tunneta|löytynyt) {time}? (olemassa)? (mitään)? {adj}? {thing} (nimeltä|nimeltään|nimellä) @ $
    {not} _*3 ,? onko @ (edes|todella)? olemassa $
    (haku|hakuni|haulla) @ {not} (tuottanut|tuota|anna|antanut|palauttanut) {info}? !
    (etsin|hain) (tietoa)? @ ,? mutta {not} ({have})*2 {info}? !
    @ : _*3 ({info} {not} ({have}|{time})*2|{not} ({have}|{time})*3 {info} ({have})*2|ei (löytynyt|mainittu|tietoa)|tuntematon) !
  `,
};
