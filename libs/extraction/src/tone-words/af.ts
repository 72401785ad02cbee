import type { ToneWords } from './tone-words.ts';

export const afrikaans: ToneWords = {
  great: `
    uitstekend*, uitmuntend*, fantasties*, wonderlik*, briljant*, perfek*, uitsonderlik*, ongeëwenaard*,
    voortreflik*, beste, eersteklas, wêreldklas, hoogs aanbeveel, sterk aanbeveel, pragtig*, skitterend*,
    foutloos`,
  good: `
    netjies, stylvol, smaakvol, plesierig, genotvol, betroubaarder, vinniger, goedkoper, makliker, veiliger,
    gewilder, gaaf, sjarmant, ruim, hoflik, professioneel, sorgvuldig, toegewyd, sonder probleme,
    billike pryse, goeie reputasie, vertrou op, lojale kliënte, klagtes is skaars, hou van @, hou lank,
    klas van sy eie, goed, goeie, beter, betroubaar, betroubare, gerespekteer*, gewaardeer*, gewild*,
    gunsteling*, populêr*, geliefd*, aanbeveel*, beveel ~ aan, aan te beveel, prys @, geprys, tevrede, bly,
    gelukkig*, beïndruk*, indrukwekkend*, oortuigend*, maklik*, eenvoudig*, gebruikersvriendelik*,
    intuïtief, intuïtiewe, glad, handig*, prakties*, nuttig*, gemaklik*, gerieflik*, aangenaam, aangename,
    vriendelik*, behulpsaam, behulpsame, bekwaam, bekwame, vinnig*, doeltreffend*, effektief, effektiewe,
    kragtig*, robuust*, stewig*, duursaam, duursame, stabiel*, veelsydig*, buigsaam, veilig*, akkuraat,
    bekostigbaar, bekostigbare, billik*, waarde vir geld, eerlik*, deursigtig*, hoë gehalte, goeie gehalte,
    toonaangewend*, bekroonde, bekroon, wenner, elegant*, mooi, aantreklik*, heerlik*, lekker, smaaklik*,
    innoverend*, ideaal, ideale, geskik*, die moeite werd, oortref, verkies*, waardevol*, suksesvol*,
    positief, positiewe, skoon en`,
  bad: `
    teleur, stel ~ teleur, moeisaam, roes, lek, oorverhit, verslete, verwaarloos*, chaoties*, onbereikbaar,
    antwoord nooit|nie, werk nie, koud en, hooghartig, aggressief, onduidelik*, onnodig*, buitensporig*,
    hoë pryse|fooie|koste, hoë prys, lieg, kul kliënte, skepties, moeg vir, woedende, oneetbaar,
    onreëlmatig, onvolledig, flop, mislukking, mislukte, lang wagtye|toue, ontevredenheid, aangekla,
    onder skoot, bly weg, slegte reputasie, onhigiënies, lomp, ignoreer, onverskillig, agteruitgegaan, sleg,
    slegte, slegter, swak, swakker, middelmatig*, onvoldoende, minderwaardig*, teleurstell*, teleurgesteld*,
    ontevrede, onbetroubaar, onbetroubare, onstabiel*, stadig, stadige, stadiger, ingewikkeld*, moeilik*,
    verwarrend*, lastig*, omslagtig*, verouderd*, outyds*, duur, duurder, te duur|stadig|ingewikkeld,
    oorprys*, gebrekkig*, stukkend*, breek maklik|gou, irriterend*, frustrerend*, vervelig*, kla, klaag,
    gekla, kritiek, gekritiseer*, omstrede, kwaad, woedend*, onvriendelik*, onbeskof*, ongeskik*, onbevoeg*,
    onprofessioneel*, arrogant*, oneerlik*, misleidend*, twyfelagtig*, nutteloos, nuttelose,
    ondoeltreffend*, ongemaklik*, vuil, raserig*, smaakloos, breekbaar, gevaarlik*, onveilig*,
    kommerwekkend*, problematies*, beperk, beperkte, laat ~ te wense oor, te wense oor, vermy @, afgeraai,
    mors van, verskuilde koste, negatief, negatiewe, laat aflewerings, berug*, spyt`,
  awful: `
    verskriklik*, vreeslik*, aaklig*, afgryslik*, rampspoedig*, skandelik*, bedrogspul, swendelary,
    nagmerrie, slegste, waardeloos, waardelose, onaanvaarbaar*, patetie*, haglik*`,
  claim: `vertrou, werk, reageer, hou, duidelik, skoon, veilig, modern, geskik*, professioneel, help`,
  fault: `
    probleem, probleme, fout, foute, defek, defekte, gebrek, gebreke, vertraging*, onderbreking*, nadeel,
    nadele, swakheid, swakhede, klagte, klagtes, skandaal, ongerief`,
  neutral: `
    nie net, nie slegs, sonder twyfel, nie noodwendig, goeie môre|more|nag|werk, goedere,
    vind|vergelyk|kies die beste|goedkoopste, slegte weer|asem, gevaarlike stowwe|goedere, stukkende fone,
    bekend vir, kitskos`,
  not: `
    nie, geen, nooit, sonder, skaars, niks, niemand, nêrens, allesbehalwe, ver van, min, minder, selde,
    glad nie, ontbreek`,
  turner: `
    beskerm*, teen, voorkom*, vermy*, verminder*, verlaag*, verwyder*, bestry*, veg, behandel*, verlig*,
    genees*, los, oplos*, herstel*, opspoor*, spoor, identifiseer*, monitor*, blokkeer*, filter*, verseker*,
    dek, maak, reinig*, doodmaak, vervang*, herwin*, help*, ondersoek*, slagoffers, minimaliseer*`,
  softener: `effens, 'n bietjie, soms, ietwat, taamlik, redelik`,
  condition: `as jy, as u, indien`,
  void: `geen inligting, geen data, nie vind, niks gevind, nie gevind`,
  absence: `inligting, data, bronne, resensies, besonderhede, resultate, bewyse`,
  copula: `is, was, het, bied, bly, lyk, kliënte, gebruikers`,
  notFollows: true,
  turnerFollows: true,
};
