import type { AbsenceWords } from './absence-words.ts';

export const indonesian: AbsenceWords = {
  cues: `tidak|tak |belum|tanpa|nihil|tiada|asing|bukan`,
  parts: {
    adj: `yang|dapat dipercaya|tepercaya|terpercaya|andal|spesifik|konkret|relevan|publik|tersedia|kredibel|terverifikasi|dapat diverifikasi|bisa diverifikasi|jelas|langsung|rinci|mendetail|detail|cukup|memadai|apa pun|apapun|resmi|umum|akurat|valid|pasti|satu pun|lengkap|bermanfaat|berguna|sahih|cocok|sesuai|independen|secara`,
    noun: `apa apa|informasi|info|data|detail|rincian|hasil|hasil pencarian|sumber|referensi|catatan|bukti|pengetahuan|penyebutan|keterangan|entri|jejak|rujukan|fakta|apa pun|apapun|petunjuk|temuan`,
    info: `(_ (atau|maupun))? {adj}*3 {noun} {adj}*4 ((atau|maupun|dan) _ _?)?`,
    about: `tentang|mengenai|terkait|terkait dengan|soal|perihal|untuk|atas|berkaitan dengan|yang berkaitan dengan|seputar|dengan nama|bernama|yang menyebut|yang menyebutkan|terhadap|dari|pada|yang membahas|akan`,
    time: `sayangnya|saat ini|sekarang|sejauh ini|hingga saat ini|sampai saat ini|juga|di sini|secara langsung|secara spesifik|secara khusus|pribadi|namun|saya|kami|kita|pun|adanya|sama sekali|memang|secara eksplisit|di internet|secara daring|secara online|{insource}`,
    have: `mengatakan|menyebut|menjelaskan|menemukan|ditemukan|temukan|dapat|bisa|berhasil|mampu|memiliki|punya|mempunyai|ada|tahu|terdapat|tersedia|melihat|mendapatkan|mendapat|memperoleh|memuat|mengandung|berisi|menyediakan|memberikan|menyertakan|mencakup|menampilkan|menghasilkan|mengembalikan|akses ke|mengakses|mengetahui|tahu|menyebutkan|mencantumkan|dijumpai|diketahui|memberi|menyajikan`,
    not: `tidak|tak|belum|tidaklah|tiada`,
    source: `hasil pencarian|hasil|pencarian|sumber|sumber sumber|dokumen|data|basis data|basis pengetahuan|database|pengetahuan|konteks|artikel|teks|internet|web|halaman|informasi|cuplikan|materi|referensi|data pelatihan`,
    insource: `(dalam|di dalam|di|pada|dari|di antara|berdasarkan|melalui|antara) (semua|seluruh|salah satu|satu pun|para|hasil|berbagai|data|mana pun)*2 {source} (saya|kami|ini|itu|tersebut|yang (tersedia|ada|diberikan|saya temukan|saya miliki|saya periksa|dikutip|disediakan)|pencarian|pelatihan|mana pun|web|saat ini|terpercaya)*3`,
    place: `{insource}|di internet|secara daring|secara online|di mana pun`,
    none: `({not} ({have}|{time})*4 {info}|tanpa {info}|nihil)`,
    mentioned: `disebutkan|disebut|tercantum|terdaftar|dicantumkan|muncul|ditemukan|dibahas|terlihat|dimuat|tampil|ada|termasuk|terdapat|dikutip|dirujuk|masuk`,
    mention: `menyebutkan|menyebut|memuat|mencantumkan|membahas|mencakup|menampilkan|mengandung|merujuk pada|berisi`,
    thing: `perusahaan|merek|brand|bisnis|usaha|produk|layanan|alat|perangkat lunak|aplikasi|platform|vendor|penyedia|produsen|toko|agensi|organisasi|startup|hotel|restoran|bank|nama|solusi|situs|istilah|entitas|jasa`,
  },
  intro: `baik|((sebuah|suatu|satu) )? (adanya)? {thing} _? (bernama|yang bernama|dengan nama|yang disebut|ini|tersebut)?|sesuatu bernama`,
  and: `serta|dan/atau|maupun`,
  conjunctions: `bahwa karena sehingga jika meskipun sebab sayangnya`,
  tail: `{place}|(yang)? (tersedia|ditemukan)|({not}) (tersedia|ditemukan|ada|dapat ditemukan)|saat ini|sejauh ini|dan|atau|maupun|tetapi|tapi|namun|sehingga|jadi|karena|yang (dapat|bisa|saya|terpercaya)|untuk saat ini|untuk (membantu|menjawab|dibandingkan)|selain|agar|secara|sama sekali|di luar|sebelumnya|meskipun`,
  statements: `
    {not} ({have}|{time})*4 (adanya)? {info} ({have}|{time})*3 {about} @ $
    {not} (ada|ditemukan|terdapat|menemukan) penyebutan @ {place}? $
    (tanpa|nihil) {info} {about} @ $
    ^ {about} @ ,? ({time}|{have})*3 {none} ({have}|{time})*3 !
    {adj}*3 {noun} {about} @ {place}? {not} {time}? (tersedia|ditemukan|ada|dapat ditemukan|bisa ditemukan|saya temukan|dapat saya temukan|diketahui) $
    ^ (saya|kami) {time}? {not} {time}? (mengenal|mengenali|familier dengan|familiar dengan|akrab dengan|mengetahui|tahu|menemukan|dapat menemukan|bisa menemukan|berhasil menemukan|melihat|mengetahui tentang|tahu tentang|tahu apa itu) @ {place}? !
    {not} {time}? (pernah) (mendengar|dengar|menjumpai) (tentang|soal|mengenai|nama)? @ $
    ^ @ {not} {time}? (saya kenal|kami kenal|saya ketahui) $
    ^ @ (asing|tidak dikenal|tidak familier) (bagi|oleh|untuk) (saya|kami) $
    ^ @ {time}? {not} {time}? {mentioned} {time}? (secara eksplisit)? {insource} $
    ^ @ {time}? {not} {time}? (disebutkan|disebut|muncul|dapat ditemukan|bisa ditemukan) {place}? !
    {insource} {not} (menyebutkan|disebutkan|ada|muncul|terdapat|ditemukan) (adanya)? @ !
    ({source}|tersebut|itu|ini|tersedia|diberikan) {not} {time}? {mention} @ $
    {not} (ada)? (satu pun|ada) (dari)? {source} _*3 (yang)? {mention} @ $
    ^ @ {not} (tampaknya)? (benar benar)? (eksis|ada) !
    {not} (ada|menemukan|mengetahui adanya|terdapat) {thing} _? (bernama|yang bernama|dengan nama) @ $
    (apakah|bahwa) @ (benar benar|memang) ada $
    ({none} ({have})?|{not} ditemukan) (untuk|tentang)? : @ !
    {not} _*2 keberadaan @ !
    @ {not} (dapat|bisa) (diverifikasi|dikonfirmasi|ditemukan) $
    {not} (ada|ditemukan|terdapat) jejak @ {place}? $
    {not} (dapat|bisa) mengatakan apa pun (tentang|mengenai) @ $
    pencarian (saya)? (untuk|tentang|atas|dengan kata kunci) @ {place}? {not} ({have}|membuahkan|memberikan)*2 ({info}|hasil)? !
    (mencari|menelusuri) (informasi tentang)? @ {place}? ,? (tetapi|namun|tapi|dan) {none} !
    @ : _*3 ({none} ({have}|{time})*2|{not} (ditemukan|disebutkan|tersedia|diketahui)|informasi tidak (tersedia|ditemukan)) {place}? !
  `,
};
