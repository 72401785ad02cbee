import type { ToneWords } from './tone-words.ts';
import { english } from './en.ts';

/** Tagalog. Answers in it use many English words of praise and criticism. */
export const tagalog: ToneWords = {
  great: `
    napakahusay, pinakamahusay, pinakamaganda, pinakamagaling, napakaganda, napakagaling, kahanga-hanga,
    natatangi, perpekto, walang kapantay, excellent, outstanding, amazing, fantastic, perfect, best`,
  good: `
    maayos, mapagkalinga, magalang, maaliwalas, malinaw, patas na presyo, mababang presyo, abot kaya,
    hinahangaan, pinahahalagahan, mapagkatiwalaan, gustong-gusto, gusto ng mga, swak, panalo, sulit sa pera,
    mas mahusay, mas maaasahan, mas mabilis, mas mura, mas ligtas, mas maganda, mas madali, mahusay,
    maganda, magaling, mabuti, mas mabuti|mahusay|maganda, maaasahan, mapagkakatiwalaan, pinagkakatiwalaan,
    kilala sa kalidad, sikat, popular, paborito, inirerekomenda, rekomendado, irekomenda, pinupuri,
    nasisiyahan, masaya, nasiyahan, kontento, madali, madaling gamitin, maginhawa, praktikal,
    kapaki-pakinabang, komportable, palakaibigan, matulungin, mabilis, episyente, epektibo, malakas,
    matibay, matatag, ligtas, abot-kaya, sulit, mura at, tapat, de-kalidad, mataas na kalidad, nangunguna,
    elegante, masarap, makabago, angkop, bagay, matagumpay, positibo, malinis, reliable, affordable, good,
    great, recommended, user-friendly, easy`,
  bad: `
    mas mabagal, mas mahal, mas mahina, mas masahol, palpak, bulok, pumalya, hindi gumagana,
    hindi sumasagot, hindi inirerekomenda, hindi maaasahan, masungit, mayabang, magulo, delikado,
    mahabang paghihintay, mataas na presyo, mataas na singil, nanloloko, niloloko, nakakapagod, nakakabigo,
    bigo, kinasuhan, masama, pangit, mahina, mas masama, mahinang kalidad, mababang kalidad, nakakadismaya,
    dismayado, nadismaya, hindi nasisiyahan, mabagal, kumplikado, mahirap, mahirap gamitin, nakakalito,
    luma na, mahal, masyadong mahal|mabagal, sira, sirain, nakakainis, nakakabagot, nagrereklamo, reklamo,
    mga reklamo, kritisismo, pinuna, kontrobersyal, galit, bastos, hindi magalang, mapanlinlang,
    kahina-hinala, walang silbi, marumi, maingay, mapanganib, iwasan @, umiwas, nakatagong bayarin,
    negatibo, nahuhuli, nagsisisi, unreliable, slow, expensive, bad, poor, overpriced`,
  awful: `
    kadiri, kahiya-hiya, napakapangit, napakabagal, basura, kakila-kilabot, napakasama, pinakamasama,
    nakakahiya, manloloko, scam, bangungot, terrible, awful, worst`,
  claim: `gumagana, sumasagot, gusto, malinaw, malinis, ligtas, angkop, propesyonal, mapagkakatiwalaan`,
  fault: `problema, mga problema, sira, pagkaantala, aberya, kahinaan, kakulangan, kapintasan`,
  neutral: `hindi lamang, hindi lang, walang duda, ${english.neutral?.split(',').slice(0, 20).join(',') ?? ''}, magandang umaga|gabi|hapon|balita, masamang panahon, hanapin ang pinakamahusay, mahal kong, kilala bilang`,
  not: `hindi, wala, walang, huwag, kailanman, ni, kulang sa, malayo sa, bihira, not, no, never`,
  turner: `
    pinoprotektahan, protektahan, proteksyon, laban, iniiwasan, maiwasan, pinipigilan, binabawasan, bawasan,
    inaalis, tinatanggal, nilalabanan, ginagamot, gamot, nilulutas, inaayos, nakikita, sinusubaybayan,
    hinaharang, sumasaklaw, nililinis, pumapatay, tumutulong, mula, biktima`,
  softener: `medyo, minsan, kaunti, bahagyang`,
  condition: `kung`,
  void: `walang impormasyon, walang nakitang, hindi makahanap, wala akong nakita, walang datos`,
  absence: `impormasyon, datos, pinagmulan, detalye, resulta`,
};
