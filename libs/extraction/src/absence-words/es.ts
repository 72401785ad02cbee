import type { AbsenceWords } from './absence-words.ts';

export const spanish: AbsenceWords = {
  cues: `falta|carec|imposible|no |sin |ningun|nada|nunca|jamas|descono|tampoco|carezco|ni `,
  parts: {
    adj: `fiables?|confiables?|específic[oa]s?|concret[oa]s?|públic[oa]s?|disponibles?|relevantes?|verificad[oa]s?|verificables?|creíbles?|útil|útiles|clar[oa]s?|direct[oa]s?|detallad[oa]s?|independientes?|suficientes?|accesibles?|confirmad[oa]s?|solvente?s?|contrastad[oa]s?|precis[oa]s?|generale?s?|algun[oa]s?|alguna?|ningun[oa]s?|ningún|ninguna|sólid[oa]s?|pertinentes?|coincidentes?|públicamente|documentad[oa]s?|mayor|única?`,
    noun: `información|informaciones|info|datos?|detalles?|resultados?|menciones|mención|fuentes?|referencias?|registros?|rastros?|evidencias?|pruebas?|conocimientos?|noticia|constancia|coincidencias|entradas?|antecedentes|indicios?|nada`,
    info: `(_ (o|ni))? ({adj} (y)?)*3 {noun} (de búsqueda)? ({adj} (y|o)?)*3 ((o|y|ni) _ _?)?`,
    about: `sobre|acerca de|acerca del|de|del|respecto a|respecto de|respecto al|con respecto a|en relación con|en relación a|relativ[oa]s? a|relacionad[oa]s? con|referentes? a|para|con el nombre|bajo el nombre|en cuanto a|a|que (mencionen?|hablen? de|menciona)|específica de|tocante a`,
    time: `lamentablemente|desafortunadamente|por desgracia|actualmente|por ahora|por el momento|en este momento|todavía|aún|hasta ahora|también|aquí|directamente|específicamente|explícitamente|personalmente|tampoco|sin embargo|en línea|me|nos|se|le|la|lo|yo|en internet|{insource}`,
    have: `dicen|dice|encontré|encontramos|encuentro|encontrar|encontrado|encontrada|encontrados|encontradas|encontró|encontraron|encuentran?|pude|pudo|puedo|podido|podemos|puede|logré|logrado|tengo|tenemos|tener|dispongo de|disponemos de|dispone de|dispongo|cuento con|contamos con|cuenta con|hay|había|hubo|existen?|aparecen?|aparecieron|apareció|he|hemos|ha|han|sido|hallé|hallado|hallar|halló|localicé|localizado|localizar|poseo|consta|constan|es|fue|está|están|son|posible|conozco|veo|consigo|conseguí|identificar|identificado|identifiqué|obtuve|obtener|obtenido|contienen?|incluyen?|proporcionan?|ofrecen?|arrojan?|arrojó|arrojaron|devolvió|devolvieron|muestran?|mencionan?|figuran?|acceso a|ver|visto|recuperar|de|parece|haber|ubicar|dar con|sé|sabe|sabemos|se sabe`,
    source: `resultados?|búsquedas?|fuentes?|documentos?|datos|bases?|conocimientos?|contexto|artículos?|textos?|internet|web|páginas?|información|informaciones|fragmentos?|referencias?|contenidos?|entrenamiento|materiales|registros|sitios?|webs|portales`,
    insource: `(en|entre|dentro de|según|a partir de|por|de) (los|las|mis|mi|estos|estas|esta|este|el|la|ningun[oa]|ningún|ningun[oa] de|todas|todos|tus|una?|alguna)*3 (distint[oa]s|dos|tres|cuatro|cinco|primeros)? {source} (de búsqueda|de datos|de entrenamiento|de conocimientos?|de internet|consultad[oa]s|disponibles?|proporcionad[oa]s?|a mi disposición|encontrad[oa]s|que he _|que tengo|citad[oa]s|actual|actuales|obtenidos|web|fiables|analizad[oa]s|revisad[oa]s|públicas|facilitad[oa]s|de la web|que (consulté|encontré|revisé))*3`,
    place: `{insource}|en línea|en ninguna parte`,
    none: `(((no|tampoco) ({have}|{time})*5|sin|ninguna?|ninguno|ningún) {info}|(no|tampoco) ({have}|{time})*5 nada ({have}|{adj})*2)`,
    mentioned: `mencionad[oa]s?|citad[oa]s?|listad[oa]s?|incluid[oa]s?|nombrad[oa]s?|referenciad[oa]s?|presentes?|descrit[oa]s?|recogid[oa]s?|encontrad[oa]s?|registrad[oa]s?`,
    mention: `mencionan?|citan?|contienen?|incluyen?|nombran?|recogen?|hablan? de|hacen? referencia a|hacen? mención de|hacen? mención a|se refieren? a`,
    thing: `empresa|compañía|marca|producto|servicio|herramienta|software|plataforma|aplicación|app|proveedor|fabricante|tienda|agencia|organización|startup|hotel|restaurante|banco|nombre|solución|sitio|término|firma|entidad|negocio|consultora|despacho|programa`,
    topic: `sobre|acerca de|acerca del|respecto a|respecto de|con respecto a|en relación con|en cuanto a|en lo que respecta a`,
  },
  intro: `ni|tanto|((la|el|una?|esta|este|esa|ese|ninguna?|ninguno|ningún|alguna?|algún) _?)? {thing} _? (llamad[oa]|denominad[oa]|de nombre|con el nombre de|con el nombre|con ese nombre|conocid[oa] como|que se llame|que se llama)?|la|el|a|algo llamado`,
  and: `así como|y/o`,
  prepositions: `de del para por con sobre en contra entre`,
  conjunctions: `que porque si ya`,
  tail: `{place}|disponibles?|(no|fue|está|sea) {time}? (está|están|fue|ha sido|disponible|encontrada)*2 (disponible|disponibles|encontrad[oa]s?)|y|o|ni|pero|así que|por lo que|porque|ya que|que (pueda|me|permita|haya|sea|he|tenga)|para|más allá|aparte de|en este momento|actualmente|por ahora|por el momento|hasta ahora|a mi disposición|aunque|entonces|pues|salvo|como para`,
  statements: `
    (no|tampoco) ({have}|{time})*5 {info} ({have}|{time})*3 {about} @ $
    (sin|ninguna?|ninguno|ningún|ningunos|cero|carezco de) {info} ({have}|{time})*3 {about} @ $
    (no|tampoco) ({have}|{time})*5 nada ({adj}|{have})*2 {about} @ $
    nada ({adj}|{have})*2 (sobre|acerca de) @ $
    ^ ({about}|{topic}) @ ,? ({have}|{time})*3 {none} ({have}|{time}|al respecto)*2 !
    {topic} @ ({have}|{time})*3 {none} ({have}|{time})*2 !
    {adj}*3 {noun} {about} @ no (está|están|es|son|se encuentra|se encuentran|figura|fue|aparece) {time}? (disponibles?|accesibles?|encontrad[oa]s?)? $
    (no|tampoco) {time}*2 (conozco|conocemos|reconozco|encontré|encuentro|veo|puedo encontrar|pude encontrar|he encontrado|he podido encontrar|logré encontrar|localicé|pude localizar|identifico|hallé|me suena) (a)? @ {place}? !
    no {time}? (tengo|tenemos|tenía) (ningún)? conocimiento (previo)? (de|sobre|acerca de) @ $
    no (estoy|estamos) {time}? (familiarizad[oa]s?) con @ $
    (nunca|jamás|no) (he|había|hemos) (oído|escuchado) (hablar)? (de|sobre) @ $
    (desconozco|desconocemos) (a|que es|qué es)? @ !
    (no (sé|sabemos|tengo claro)|no tengo (ni)? idea de|sin idea de) (qué|quién) (es|son) @ !
    (imposible|me ha sido imposible|no pude|no fue posible|no se pudo|no he podido) (encontrar|verificar|localizar|confirmar) {info}? {about}? @ $
    (ninguna?|ninguno|ningún) (de)? (las|los|mis|estas|estos)? {source} _? (se refiere a|trata de|trata sobre|habla de|corresponde a) @ $
    no (puedo|podemos) (decir|afirmar|confirmar) nada {about} @ $
    @ es desconocid[oa] para (mí|nosotros) !
    @ (me|nos) (es|resulta) {time}? (totalmente)? desconocid[oa] $
    @ no (me|nos) (suena|es conocid[oa]|es familiar|resulta familiar|consta) {place}? !
    @ (no|tampoco) {time}? (aparecen?|figuran?|está|están|se menciona|se mencionan|es|son|ha sido|fue|se encuentra|se encuentran|consta|sale|se cita|parece|se nombra) {time}? (aparecer|figurar|estar|ser)? {mentioned}? {insource} $
    @ (no|tampoco) {time}? (aparecen?|se menciona|se mencionan|es mencionad[oa]|está mencionad[oa]|está citad[oa]|se cita) !
    {insource} (no|tampoco) (se)? (menciona|aparece|figura|mencionan|cita|nombra|hay) (a|nada sobre|nada de)? @ !
    (no|tampoco) se (menciona|cita|nombra|encontró|encuentra|mencionan|pudo encontrar|ha encontrado) (a)? @ {place}? !
    ({source}|{mentioned}|proporcionad[oa]s|consultad[oa]s) _? no {mention} (a|ninguna mención de)? @ $
    (ninguna?|ninguno|ningún) (de)? (las|los|mis|estas|estos)? {source} _*2 {mention} (a)? @ $
    (faltan?|carecemos de) {info} {about} @ $
    ({none} ({have})?|no encontrad[oa]s?) (sobre|para)? : @ !
    @ no (existe|parece existir) !
    no ({have}|{time})*4 (existe|hay|conozco|encontré|parece haber|encuentro|identificar|encontrar|localizar|encontrado|identificado) (a)? (ninguna?|ninguno|ningún|una)? {adj}? {thing} _? (llamad[oa]|denominad[oa]|de nombre|con el nombre de|con el nombre|que se llame) @ $
    no _*4 (si|que) @ (realmente|siquiera)? exist[ae] $
    (no|sin|ninguna?) _*3 (la)? existencia de @ !
    búsqueda (de|sobre|para|por) @ {place}? (no|tampoco) ({have}|{time}|dio|produjo|generó)*3 ({info}|nada) !
    (busqué|busco|buscado|buscar) (a|información sobre|datos de)? @ {place}? ,? (pero|y) {none} !
    @ : _*3 ({none} ({have}|{time})*2|no (encontrad[oa]|mencionad[oa]|disponible|aparece)|información no disponible|desconocid[oa]) {place}? !
  `,
};
