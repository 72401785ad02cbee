import type { AbsenceWords } from './absence-words.ts';

export const polish: AbsenceWords = {
  cues: `nie |brak|nic |zaden|zadn|nigdy|nieznan|bez |ani `,
  parts: {
    adj: `wiarygodn~|rzeteln~|konkretn~|szczegółow~|publiczn~|publicznie|dostępn~|istotn~|potwierdzon~|zweryfikowan~|sprawdzon~|pewn~|jasn~|bezpośredni~|niezależn~|przydatn~|użyteczn~|ogóln~|jakichkolwiek|jakiekolwiek|żadn~|wystarczając~|pasując~|odpowiedni~|weryfikowaln~|dokładn~|specyficzn~|aktualnie dostępnych`,
    noun: `danymi|informacjami|wiedzą|informacj[ia]|informacje|info|dan[ye]ch|danych|dane|wynik~|wzmian~|źród[eł]~|źródeł|szczegół~|wiedzy|ślad~|wpis~|referencji|dowod~|odniesie[nń]~|rezultat~|trafień|rekord~|materiał~|faktów`,
    info: `(_ (lub|ani|i))? {adj}*3 {noun} (wyszukiwania)? {adj}*2 ((lub|ani|i|czy) _ _?)?`,
    about: `o|na temat|dotycząc~|dotyczące|odnośnie|odnośnie do|w sprawie|dla|związan~ z|po|pod nazwą|do|odnosząc~ się do|które (dotyczą|wspominają)|na`,
    time: `niestety|obecnie|aktualnie|w tej chwili|na ten moment|jeszcze|dotąd|dotychczas|również|też|także|tutaj|bezpośrednio|konkretnie|wyraźnie|osobiście|jednak|w internecie|w sieci|mi|nam|się|ja|ją|jej|online|publicznie|{insource}`,
    have: `mówią|mówi|wiadomo|podają|znalazłem|znalazłam|znaleźliśmy|znaleziono|znaleźć|znajduję|znajdują|znajduje|znalazł|mogę|mogłem|mogłam|można|udało|posiadam|posiadamy|mam|mamy|ma|dysponuję|dysponujemy|istnieją|istnieje|zawiera|zawierają|odnaleziono|odnalazłem|natrafiłem|natrafiłam|natrafić|widzę|było|były|są|jest|dostarczają|podają|zwróciło|zwróciły|przyniosło|dało|dostępu do|uzyskać|ustalić|odnaleźć|wykryto|dostępne|dostępnych|pojawiają|wiem|wiemy|znaleziony|znalezione|znane|znanych|podaje|udostępniono`,
    source: `wynik~|wyszukiwani~|źród~|dokument~|danych|bazie|bazy|wiedz~|kontek~|artykuł~|tekst~|tekście|internecie|sieci|stron~|informacj~|fragment~|materiał~|treści~|zbiorze|zasobach`,
    insource: `(w|we|wśród|z|ze|na|spośród|podczas) (tych|moich|mojej|moim|tym|tej|dostępnych|podanych|żadnym|żadnych|żadnej|jakimkolwiek|którymkolwiek|swoich|moją|przeszukanych|przeanalizowanych|dostarczonych|znalezionych|cytowanych|przytoczonych|udostępnionych|powyższych|aktualnych|z|ze)*3 {source} (wyszukiwania|danych|treningowych|wiedzy|szkoleniowych|które _|internetowych)*2`,
    place: `{insource}|w internecie|online|nigdzie`,
    none: `(((nie ({have}|{time})*5|brak|bez|brakuje|żadn~) {info}|nic ({have}|{time}|nie)*4)|nie ({have}|{time})*5 (niczego|nic) {adj}?)`,
    mentioned: `wymienion[aey]|wspomnian[aey]|wymieniany|wymieniana|uwzględnion[aey]|opisan[aey]|obecn[aey]|cytowan[aey]|omawian[aey]|znaleziony|znaleziona|ujęt[aey]|wspominan[aey]|przywołan[aey]`,
    thing: `firm[aęyi]~|firmie|spółk~|spółce|mark[aęi]|marce|przedsiębiorstw~|produkt~|produkcie|usłu[gd]~|narzędzi~|oprogramowani~|platform~|aplikacj~|dostawc~|producen~|sklep~|agencj~|organizacj~|startup~|hotel~|restauracj~|bank~|nazw~|nazwie|rozwiązani~|stron~|podmio~|firmę`,
  },
  intro: `ani|zarówno|(((ta|tej|tę|to|tego|tym|żadnej|żadnego|jakiejkolwiek|takiej|takiego) {adj}?)? {thing} (o nazwie|pod nazwą|zwan~|nazwan~|o takiej nazwie|nazywając~ się)?|czymś o nazwie)`,
  and: `oraz|jak i|i/lub`,
  conjunctions: `że ponieważ bo gdyż jeśli czy`,
  tail: `{place}|dostępn~|nie (są|jest|zostały|było) {time}? (dostępn~|znalezion~)?|i|oraz|ani|lub|ale|więc|dlatego|ponieważ|bo|gdyż|które|która|który|żeby|aby|poza|w tej chwili|obecnie|aktualnie|na ten moment|niestety|jednak|choć|zatem`,
  endings: 'a owi em ie u y i ego emu ym e om ow ach ami',
  statements: `
    nie ({have}|{time})*5 {info} ({have}|{time})*3 ({about}|, które (dotyczą|wspominają)) @ $
    (brak|brakuje|bez|żadn~) {time}? {info} ({have}|{time})*3 {about} @ $
    nie ({have}|{time})*5 (nic|niczego) ({have}|{time}|{adj})*3 (o|na temat|dla) @ $
    nic ({have}|{time}|nie|{adj})*5 (o|na temat) @ $
    ^ {about} @ ,? ({have}|{time})*3 {none} ({have}|{time})*3 !
    (o|na temat) @ ({have}|{time})*3 {none} ({have}|{time})*3 !
    jeśli chodzi o @ ,? ({have}|{time})*3 {none} ({have}|{time})*3 !
    {adj}*3 {noun} {about} @ nie (są|jest|zostały|były) {time}? (dostępn~|znalezione|znane)? $
    nie {time}*2 (znam|znamy|kojarzę|rozpoznaję|znalazłem|znalazłam|widzę|mogę znaleźć|udało mi się znaleźć|znaleziono|zidentyfikowałem) {time}? @ {place}? !
    nie (jestem|jesteśmy) {time}? (zaznajomion[ay]|zaznajomieni|obeznan[ay]) z @ $
    (nigdy|nie) {time}? (nie)? (słyszałem|słyszałam|słyszeliśmy) {time}? o @ $
    (nie wiem|nie mam pojęcia) ,? (co to|czym|kim) jest @ !
    nie (udało się|udało mi się|mogę|można|mogłem) (zweryfikować|zidentyfikować|potwierdzić) (istnienia)? @ $
    (żaden|żadne|żadna) (z|ze) (tych|moich)? {source} _? nie dotyczy @ $
    nie (mogę|możemy) nic powiedzieć (o|na temat) @ $
    ^ @ (jest|są|pozostaje) (mi|dla mnie|nam) (całkowicie)? (nieznan[aey]|obc[aey]) $
    ^ @ nie (jest|są) (mi|nam|dla mnie) znan[aey] $
    ^ @ nic mi nie mówi !
    nie (jest|są) (mi|nam) znan[aey] @ $
    ^ @ nie {time}? (znam|znamy|kojarzę|znalazłem|znalazłam) !
    ^ @ nie {time}? (pojawia się|pojawiają się|występuje|występują|figuruje|figurują|jest|są|został[aoy]?|znajduje się|znajdują się|widnieje|była|był|ma) {time}? {mentioned}? {insource} $
    ^ @ nie {time}? (jest|są|został[aoy]?)? (wymienion[aey]|wspomnian[aey]) !
    ^ @ nie (pojawia się|występuje) !
    {insource} nie (ma|pojawia się|wymieniono|wspomniano|występuje|wspomina się|znalazłem|znaleziono) {time}? (o|wzmianki o|wzmianek o|żadnych informacji o)? @ !
    ({source}|wyszukiwania) _? nie (wspominają|wspomina|wymieniają|wymienia|zawierają|zawiera|obejmują|obejmuje) (o)? @ $
    (żadne|żaden|żadna) (ze|z)? (tych|moich|podanych|znalezionych)*2 {source} _*2 nie (wspomina|wymienia|zawiera|obejmuje) (o)? @ $
    ({none} ({have})?|nie znaleziono) (o|dla)? : @ !
    ^ @ nie istnieje !
    nie (istnieje|ma|znam|znalazłem|znalazłam) (żadna|żadnej|żaden|żadnego)? {adj}? {thing} (o nazwie|pod nazwą|zwan~) @ $
    nie _*4 ,? (czy|że) @ (naprawdę|faktycznie|rzeczywiście|w ogóle)? istnieje $
    (wyszukiwani~|zapytani~) (dla|o|na temat|po)? @ {place}? nie ({have}|{time})*3 {info}? !
    (szukałem|szukałam|wyszukałem|szukam) (informacji o)? @ {place}? ,? (ale|lecz|i) {none} !
    @ : _*3 ({none} ({have}|{time})*2|nie (znaleziono|wspomniano)|nieznan[aey]) {place}? !
  `,
};
