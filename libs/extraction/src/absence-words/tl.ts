import type { AbsenceWords } from './absence-words.ts';

export const tagalog: AbsenceWords = {
  cues: `wala|hindi|di ko|ni `,
  parts: {
    adj: `maaasahang|mapagkakatiwalaang|tiyak na|partikular na|konkretong|pampublikong|magagamit na|available na|nauugnay na|kapani paniwalang|beripikadong|malinaw na|direktang|detalyadong|sapat na|opisyal na|anumang|ano mang|kahit anong|kahit na anong|kumpirmadong|makabuluhang|espesipikong|relevant na|reliable na|specific na|masyadong|ibang`,
    noun: `impormasyon|impormasyong|info|datos|detalye|detalyeng|resulta|resultang|pinagmulan|source|sources|sanggunian|tala|ebidensya|kaalaman|banggit|rekord|data|kahit ano|anuman|results|nabanggit`,
    info: `{adj}*3 {noun} (sa paghahanap|ng paghahanap)? ((o|at) _ _?)?`,
    about: `tungkol sa|hinggil sa|ukol sa|para sa|na tungkol sa|kaugnay ng|na may kaugnayan sa|patungkol sa|na bumabanggit sa|about`,
    time: `sa kasalukuyan|sa ngayon|pa|rin|din|po|pong|nga|dito|direkta|naman|talaga|pasensya na|sa kasamaang palad|ako|akong|ko|kong|kami|kaming|namin|naming|na|ng|ang|mga|may|mang|man|online|{insource}`,
    have: `makukuhang|kilalang|nahanap|nahanap na|nakita|nakitang|natagpuan|natagpuang|nahahanap|makita|mahanap|makahanap|nakahanap|nakahanap ng|nakakita|nakakita ng|makakita|makuha|nakuha|nakuhang|matagpuan|nalalaman|alam|hawak|hawak na|mayroon|available|magagamit|lumabas|lumabas na|ibinigay|ibinibigay|nilalaman|naglalaman|nabasa|nabasang|access|akses|maibibigay|maibigay`,
    source: `resulta~|paghahanap|pinagmulan|source|sources|dokumento~|datos|database|kaalaman|konteksto|artikulo~|teksto|internet|web|pahina|impormasyon|sanggunian|materyal|results`,
    insource: `(sa|mula sa|ayon sa|batay sa) (loob ng|alinman sa|lahat ng|aking|mga|search|nasabing|ibinigay na|magagamit na|kasalukuyang|available na|nakuhang|nakalap na|training|mga nahanap kong)*3 {source} (ng paghahanap|ko|na ito|na ibinigay|na nahanap ko|na nakita ko|na available|na mayroon ako|sa paghahanap|na ginamit|sa web)*2`,
    place: `{insource}|online|sa internet`,
    thing: `kumpanya~|kompanya~|brand|tatak|negosyo~|produkto~|serbisyo~|tool|software|platform|app|tindahan|ahensya|organisasyon~|hotel|restawran|restaurant|bangko|pangalan|website|startup|kompanyang|kumpanyang|produktong|negosyong|serbisyong`,
  },
  intro: `((isang|anumang|kahit anong|walang) )? {thing} (na tinatawag na|na may pangalang|na nagngangalang|nagngangalang|na pinangalanang|na)?|mga`,
  and: `pati na rin`,
  prepositions: `ng sa para mula`,
  tail: `{place}|sa (kasalukuyan|ngayon)|at|o|ngunit|pero|kaya|dahil|na (maaari|makakatulong|mapagkakatiwalaan)|upang|para|subalit|kahit|maliban`,
  statements: `
    (walang|wala|hindi) ({have}|{time})*6 {info} ({have}|{time})*3 {about} @ $
    (wala|walang) ({have}|{time})*5 (tungkol sa|hinggil sa) @ $
    ^ (tungkol sa|hinggil sa|para sa|kaugnay ng|sa) @ ,? (ay)? (wala|walang|hindi) ({have}|{time})*6 {info}? ({have}|{time})*3 !
    (impormasyon|datos) (tungkol sa|hinggil sa|para sa) @ (ay)? (wala|hindi) ({have}|{time})*4 !
    hindi ({time})*3 (kilala|nahanap|makita|mahanap|nakita|matagpuan|alam) {time}*2 @ {place}? !
    (hindi (ko|namin) alam|wala akong ideya) (kung)? ano (ang) @ !
    hindi (makumpirma|makumpirma ko|ma verify|mapatunayan) (ang)? @ !
    hindi (ako|kami) {time}? (pamilyar|familiar) {time}? sa @ $
    (hindi|wala) (ko|pa|kailanman)*3 (narinig|naririnig|nakarinig) {time}? (tungkol sa|ng)? @ $
    hindi {time}*2 (lumalabas|lumabas|nabanggit|binanggit|binabanggit|nababanggit|kasama|nakalista|makikita|lumilitaw|nakita|natagpuan|tinalakay) {time}*2 @ {insource} $
    hindi {time}*2 (lumalabas|lumabas|nabanggit|binanggit|binabanggit|nababanggit|kasama|nakalista|makikita|lumilitaw|nakita|natagpuan|tinalakay) {time}*2 {insource} {time}*2 @ $
    hindi (nabanggit|binanggit|binabanggit|nababanggit) {time}*2 @ !
    @ (ay)? (hindi|wala) {time}*2 (lumalabas|lumabas|nabanggit|binanggit|binabanggit|nababanggit|kasama|nakalista|makikita|lumilitaw|nakita|natagpuan|tinalakay)? {insource} $
    @ (ay)? hindi (nabanggit|binanggit|binabanggit|nababanggit) !
    @ (ay)? hindi (pamilyar|kilala) sa akin $
    (wala) {insource} (ang)? @ $
    wala {time}*2 @ {insource} $
    (walang|wala) ({have}|{time})*2 (nabanggit|banggit|nakita|lumabas) {time}*2 @ {insource}? $
    (wala|walang) (sa|isa sa|alinman sa)*2 mga {source} _*3 (ang)? (bumabanggit|bumanggit|nagbabanggit|nagbanggit|nakabanggit) (sa|ng)? @ $
    (walang|wala) ({time}|kilalang|nakitang|nahanap na)*3 {thing} (na tinatawag na|na may pangalang|na nagngangalang|nagngangalang|na) @ $
    hindi _*3 kung (talagang)? (umiiral|totoo) ba? (talaga)? (ang)? @ $
    (hinanap|naghanap) (ko|ako)? (ng impormasyon tungkol sa|ang)? @ ,? (ngunit|pero) (wala|walang) ({have}|{time})*4 {info}? !
    @ : (walang|wala|hindi) ({have}|{time})*4 {info}? ({have}|{time}|nabanggit)*3 !
  `,
};
