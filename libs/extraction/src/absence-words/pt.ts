import type { AbsenceWords } from './absence-words.ts';

export const portuguese: AbsenceWords = {
  cues: `falta|impossivel|nao |sem |nenhum|nada|nunca|jamais|desconhec|tampouco|nem |inexist|quaisquer`,
  parts: {
    adj: `confiáve[li]s?|confiáveis|fiável|fiáveis|específic[oa]s?|concret[oa]s?|públic[oa]s?|disponível|disponíveis|relevantes?|verificad[oa]s?|verificáveis|verificável|credíveis|úteis|útil|clar[oa]s?|diret[oa]s?|detalhad[oa]s?|independentes?|suficientes?|acessíveis|confirmad[oa]s?|precis[oa]s?|gera[li]s?|algum~?|alguma|nenhuma?|nenhum|qualquer|quaisquer|pertinentes?|correspondentes?|publicamente|documentad[oa]s?|sólid[oa]s?|consistentes?|segur[oa]s?|maiores`,
    noun: `informação|informações|info|dados?|detalhes?|resultados?|menção|menções|fontes?|referências?|registr?os?|registos?|vestígios?|evidências?|provas?|conhecimentos?|notícia|ocorrências?|rastros?|pistas?|elementos|correspondências?`,
    info: `(_ (ou|nem))? ({adj} (e)?)*3 {noun} (de (busca|pesquisa))? ({adj} (e|ou)?)*3 ((ou|e|nem) _ _?)?`,
    about: `sobre|acerca de|acerca da|acerca do|de|da|do|a respeito de|a respeito da|a respeito do|quanto a|quanto à|quanto ao|em relação a|em relação à|em relação ao|relativ[oa]s? a|relativ[oa]s? à|relacionad[oa]s? (a|à|ao|com)|referentes? (a|à|ao)|para|para a|para o|com o nome|sob o nome|a|à|ao|que (mencionem?|citem?|fale[mn]? (de|da|do))`,
    time: `infelizmente|lamentavelmente|atualmente|no momento|neste momento|por enquanto|ainda|até agora|até o momento|também|aqui|diretamente|especificamente|explicitamente|pessoalmente|porém|online|me|nos|se|eu|na internet|na web|sequer|{insource}`,
    have: `dizem|diz|sabe|se sabe|encontrei|encontramos|encontro|encontrar|encontrado|encontrada|encontrados|encontradas|encontrou|encontraram|consegui|conseguimos|consigo|conseguiu|foi|foram|há|havia|existem?|tenho|temos|ter|disponho de|dispomos de|dispõe de|possuo|possuímos|localizei|localizar|localizado|localizadas?|achei|achar|possível|pude|posso|constam?|vi|vejo|obtive|obter|obtido|contêm|contém|incluem|inclui|fornecem|fornece|trazem|traz|apresentam|apresenta|retornou|retornaram|devolveu|mostram|mostra|mencionam|identifiquei|identificar|identificado|acesso a|são|é|estão|está|parece|haver|de|conheço|apareceram|aparecem|disponíveis|disponível|sei|oferecem|recuperar`,
    source: `resultados?|buscas?|pesquisas?|fontes?|documentos?|dados|bases?|conhecimentos?|contexto|artigos?|textos?|internet|web|páginas?|informações|trechos?|referências?|conteúdos?|treinamento|treino|materiais|registros|sites?|portais`,
    insource: `(em|nos|nas|na|no|entre|entre os|entre as|dentro de|dentre as|dentre os|segundo|pelas|pelos|das|dos|da|do|num|numa) (os|as|meus|minhas|minha|meu|estes|estas|esta|este|nenhuma?|nenhuma das|nenhum dos|todas|todos|suas|uma?|qualquer|quaisquer)*3 (divers[oa]s|dois|duas|três|quatro|cinco|primeiros)? {source} (de (busca|pesquisa|dados|treinamento|treino|conhecimento|internet)|da (pesquisa|busca|web|internet)|consultad[oa]s|disponíveis|fornecid[oa]s?|à minha disposição|encontrad[oa]s|que (encontrei|consultei|tenho|verifiquei)|citad[oa]s|atual|atuais|obtidos|web|confiáveis|analisad[oa]s|públicas|pesquisadas|apresentados)*3`,
    place: `{insource}|online|em lugar nenhum|em nenhum lugar`,
    none: `(((não|tampouco|também não) ({have}|{time})*5|sem|nenhuma?|nenhum) {info}|(não|tampouco) ({have}|{time})*5 nada ({have}|{adj}|de _)*2)`,
    mentioned: `mencionad[oa]s?|citad[oa]s?|listad[oa]s?|incluíd[oa]s?|nomead[oa]s?|referid[oa]s?|referenciad[oa]s?|presentes?|descrit[oa]s?|encontrad[oa]s?|abordad[oa]s?`,
    mention: `mencionam?|citam?|contêm|contém|incluem|inclui|nomeiam|referem|refere|trazem|falam? (de|da|do|sobre)|fazem referência (a|à|ao)|fazem menção (a|à|ao)|faz menção (a|à|ao)|abordam`,
    thing: `empresa|companhia|marca|produto|serviço|ferramenta|software|plataforma|aplicativo|aplicação|app|fornecedor|fornecedora|fabricante|loja|agência|organização|startup|hotel|restaurante|banco|nome|solução|site|termo|negócio|entidade|programa|consultoria|instituição`,
    topic: `sobre|acerca de|acerca da|a respeito de|a respeito da|quanto a|quanto à|quanto ao|em relação a|em relação à|no que diz respeito à|com relação à`,
  },
  intro: `nem|tanto|((a|o|uma?|esta|este|essa|esse|nenhuma?|alguma?|algum) _?)? {thing} _? (chamad[oa]|denominad[oa]|de nome|com o nome de|com o nome|com esse nome|conhecid[oa] como|que se chame)?|a|o|as|os|algo chamado`,
  and: `bem como|assim como|e/ou`,
  prepositions: `de da do das dos para por pela pelo com na no em sobre contra ao à`,
  conjunctions: `que porque se pois`,
  tail: `{place}|disponível|disponíveis|(não)? (está|estão|foi|foram|é|são) {time}? (disponível|disponíveis|encontrad[oa]s?|localizad[oa]s?)|e|ou|nem|mas|portanto|então|por isso|porque|pois|já que|que (possa|me|permita|eu|seja|sejam|tenha|confirme)|para|além|no momento|neste momento|atualmente|por enquanto|até o momento|até agora|à minha disposição|embora|infelizmente`,
  statements: `
    (não|tampouco) ({have}|{time})*5 {info} ({have}|{time})*3 {about} @ $
    (sem|nenhuma?|nenhum|zero) {info} ({have}|{time})*3 {about} @ $
    (não|tampouco) ({have}|{time})*5 nada ({adj}|de _|{have})*2 {about} @ $
    nada ({adj}|de _|{have})*2 (sobre|acerca de|a respeito de) @ $
    ^ ({about}|{topic}) @ ,? ({have}|{time})*3 {none} ({have}|{time}|a respeito)*2 !
    {topic} @ ({have}|{time})*3 {none} ({have}|{time})*2 !
    {adj}*3 {noun} {about} @ não (está|estão|é|são|foi|foram|se encontram|constam) {time}? (disponíveis|disponível|acessíveis|encontrad[oa]s?|localizad[oa]s?)? $
    (não|tampouco) {time}*2 (conheço|conhecemos|reconheço|encontrei|encontro|vejo|consegui encontrar|pude encontrar|consigo encontrar|localizei|consegui localizar|identifiquei|achei) @ {place}? !
    não {time}? (tenho|temos) (nenhum|qualquer)? (conhecimento|familiaridade) (prévio)? (de|sobre|da|do|acerca de|com|com a|com o) @ $
    não (estou|estamos) {time}? (familiarizad[oa]s?|a par) (com|com a|com o|da|do) @ $
    (nunca|jamais|não) (ouvi|ouvimos|tinha ouvido) (falar)? (de|da|do|sobre|na|no) @ $
    (desconheço|desconhecemos) @ !
    (não (sei|sabemos)|não faço ideia (do|de)?) (o)? (que|quem|que é que) é @ !
    (impossível|não foi possível|não consegui|não pude) (encontrar|verificar|localizar|confirmar) {info}? {about}? @ $
    (nenhuma?|nenhum) (das|dos)? (minhas|meus|estas|estes)? {source} _? (se refere (a|à|ao)|corresponde (a|à|ao)|trata (de|da|do)|fala (de|da|do)|diz respeito (a|à|ao)) @ $
    não (posso|podemos) dizer nada {about} @ $
    @ não (me|nos) diz nada !
    @ (me é|nos é|é me) {time}? (totalmente)? desconhecid[oa] $
    @ é desconhecid[oa] para mim $
    @ não (me|nos) (é) {time}? (conhecid[oa]|familiar) !
    @ (não|tampouco) {time}? (aparecem?|consta|constam|figuram?|está|estão|é|são|foi|foram|surge|surgem|se encontra|parece) {time}? (aparecer|constar|estar|ser|sequer)? {mentioned}? {insource} $
    @ não {time}? (é|são|foi|está)? (mencionad[oa]s?|citad[oa]s?) !
    @ não (aparecem?|consta) !
    {insource} (não|tampouco) (se)? (menciona|aparece|consta|é mencionad[oa]|cita|há|surge) (a|nada sobre)? @ !
    ({source}|consultad[oa]s|fornecid[oa]s|disponíveis) _? não {mention} @ $
    (nenhuma?|nenhum) (das|dos)? (minhas|meus|estas|estes)? {source} _*2 {mention} @ $
    (faltam?|carecemos de|careço de) {info} {about} @ $
    ({none} ({have})?|não encontrad[oa]s?) (sobre|para)? : @ !
    @ não (existe|parece existir) !
    não ({have}|{time})*4 (existe|há|conheço|encontrei|parece haver|parece existir|identificar|encontrar|localizar|identifiquei) (nenhuma?|qualquer|uma|nenhum)? {adj}? {thing} _? (chamad[oa]|denominad[oa]|de nome|com o nome de|com o nome) @ $
    não _*4 (se|que) @ (realmente|de facto|de fato)? (existe|exista) $
    (não|nenhuma) _*4 (a|da)? existência (de|da|do) @ !
    (busca|pesquisa|buscas|pesquisas) (por|de|sobre|pela|pelo|da|do) @ {place}? não ({have}|{time}|deu|trouxe|gerou)*3 ({info}|nada) !
    (procurei|pesquisei|busquei|pesquisado) (por|pela|pelo|informações sobre|sobre)? @ {place}? ,? (mas|e|porém) {none} !
    @ : _*3 ({none} ({have}|{time})*2|não (encontrad[oa]|mencionad[oa]|disponível|consta)|informação não disponível|informações não disponíveis|desconhecid[oa]) {place}? !
  `,
};
