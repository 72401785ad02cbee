import type { AbsenceWords } from './absence-words.ts';

export const english: AbsenceWords = {
  cues: `missing|absent|unclear|silent|blank|no |not |n't |unable|never|none|nothing|nowhere|unknown|unfamiliar|unaware|unavailable|failed to|cannot|without |lack|neither|empty`,
  parts: {
    adj: `reliable|specific|verified|verifiable|relevant|public|publicly|available|accessible|credible|trustworthy|substantive|substantial|concrete|clear|direct|useful|meaningful|real|solid|factual|independent|authoritative|definitive|confirmed|detailed|particular|matching|accurate|actual|single|such|search|web|online|known|existing|general|first-hand|dependable|explicit|any|recorded|enough|sufficient`,
    noun: `information|info|data|details?|results?|hits?|match|matches|entry|entries|records?|references?|mentions?|evidence|knowledge|sources?|traces?|anything|insights?|background`,
    info: `(_ or)? {adj}*3 {noun} {adj}? (, _ _?)*2 ((or|and) _ _?)?`,
    about: `about|on|regarding|concerning|for|of|to|related to|relating to|pertaining to|with respect to|that (mentions?|refers? to|discuss|discusses|covers?)|mentioning|referring to|specific to|specifically (about|on|for)|under the name|under|in relation to|called|named|by the name of|to (assess|evaluate|judge|compare|describe|verify|confirm)`,
    not: `(could|can|did|do|does|was|were|am|is|are|have|has|i'm|i've) not|couldn't|cannot|can't|didn't|don't|doesn't|wasn't|weren't|isn't|aren't|haven't|hasn't`,
    adverb: `currently|actually|yet|seem to|appear to|personally|really|readily|immediately|simply|unfortunately|honestly|specifically|explicitly|directly|ever|also|even|be|necessarily|either|itself|at all|been|sorry but`,
    get: `find|found|locate|located|have|had|see|seen|possess|identify|identified|retrieve|retrieved|contain|include|provide|return|returned|turn up|turned up|come across|discover|discovered|uncover|obtain|obtained|access|hold|show|offer|yield|surface|come up with|reveal|produce|pull up|know|be|have access to|mention|verify|confirm|say|find out|learn`,
    lacking: `{not} {adverb}*2 (able to {adverb}? {get}|{get}|managed to|manage to (find|locate))|unable to {adverb}? {get}|failed to {get}|without (finding|having)`,
    found: `((was|were|is|are|has been|have been|could be|can be|to be|that is|that was) {adverb}?)? (publicly|readily)? (found|available|returned|located|provided|included|retrieved|known|present|listed|identified|accessible|recorded|at hand|on file)`,
    source: `results?|searches|search|sources?|documents?|data|databases?|datasets?|knowledge|knowledge base|training|context|articles?|materials?|internet|texts?|passages?|references?|information|records|pages?|excerpts?|snippets?|content|citations|listings|websites?|sites?|web pages|reports|reviews sites`,
    which: `the|my|these|those|this|our|any|all|your|what|its|both|them`,
    insource: `(in|among|within|across|from|on|through|during|by|based on) ((any|all|one|either) of)? {which}*2 ({adj}|provided|given|current|cited|retrieved|supplied|listed|returned|recent|own|existing|training|latest|two|three|four|five|google|context|knowledge|cited|consulted|internal)*3 {source} (provided|i found|i have|available|above|i checked|i consulted|you (provided|shared)|given|retrieved|returned|here|to me|(that)? (i|i've) (got|have|found|had|checked|searched|reviewed|consulted|could (find|see|access))|i can access)?`,
    place: `anywhere {insource}?|{insource}|online|on the web|in what i found`,
    thing: `company|brand|firm|business|product|service|tool|software|platform|app|application|vendor|provider|manufacturer|retailer|store|shop|agency|startup|start-up|organisation|organization|website|site|name|term|word|hotel|restaurant|bank|entity|solution|system|label|maker|supplier|one`,
    none: `({lacking} (any|much)? {info}|(no|zero) {info}|nothing ({adj}|at all)?)`,
    it: `(about|on|for|of) (it|them|this|that|these|him|her) ({thing})?`,
    kind: `((the|a|an|any|this|that|some) ({adj}|_)*2)? {thing} (called|named|known as|by the name of|by the name|with the name|with that name|under the name|of)?|the|an|(something|anything|anyone|someone) (called|named)`,
    i: `i|we|i have|i've|we have|we've|i'm|i am|we are|we're|i was|we were`,
  },
  intro: `(either|neither|both) {kind}?|{kind}`,
  and: `as well as|and/or`,
  prepositions: `of for by from about on with at to in via than into behind against between`,
  conjunctions: `that because since as if when where whether`,
  tail: `{place}|{found}|so|and|or|but|that|which|because|since|as|to|at (all|this time|the moment|present|this point|hand)|currently|right now|yet|specifically|either|myself|whatsoever|with (confidence|certainty)|beyond|despite|though|although|however|therefore|nor|other than|if|while|when|after|before (my|the)|before !|due to|itself|directly`,
  statements: `
    {lacking} (any|much|enough of)? {info} {found}? {about} @ $
    (no|zero|nor any|without any|without|lack|lacks|lacking) (any)? {info} {found}? {about} @ $
    (no|zero) {info} {insource} {about} @ $
    {adj}*3 {noun} {about} @ {place}? ({not} {adverb}? (be|been)? {found}|(is|are|was|were|seems?) (unavailable|missing|lacking|absent|nonexistent)) $
    nothing {adj}? {found} {about} @ $
    (there is|there's|there was|is|was) nothing {about} @ {place} $
    (none|neither) of {which}*2 {adj}*3 {source} _? (contains?|have|has|provides?|offers?|includes?|returned) (any)? {info} {about} @ $
    ({none}|nothing) (came|comes|turned|turns|showed|shows) (up|back) {about} @ $
    (found|find|finds|returned|returns|contain|contains|say|says|turned up|show|shows|with) nothing {adj}? {about} @ $
    (i|we) know nothing {about} @ $
    ({i}) {adverb}? {lacking} (any (mention|record|trace) of)? @ !
    {lacking} (any (mention|record|trace) of)? @ {place} $
    (i|we) {adverb}? ({not}) {adverb}*2 (know|recogni[sz]e|know of) @ $
    {lacking} (any|prior|personal)*2 (awareness|familiarity) (of|with) @ $
    ({i}) {adverb}? not ({adverb}|very|particularly|at all|overly|especially|too)? (familiar with|aware of|acquainted with) @ $
    ({i}) {adverb}? (unfamiliar with|unaware of) @ $
    ({i}|i haven't|we haven't) {adverb}? (never|not)? (heard (of|about)|come across|encountered) @ $
    @ {adverb}? {not} ring (a bell|any bells|a bell for me|any bells for me) !
    ((i|we) {not} {adverb}*2 know|({i}) {adverb}? (not (sure|certain)|unsure)|no idea|unclear|not clear) (what|who) @ (is|are|refers to|means) !
    @ {adverb}? ({not} {adverb}*2|nowhere|never) (appears?|show up|shows up|turn up|come up|comes up|features?|figures?|occurs?|pop up|surface) {place} $
    @ {adverb}? ({not} {adverb}*2) (appear|come up|turn up) !
    ((none|neither) of {which}*2 {adj}*3 {source}|no {adj}*3 {source}) (is|are|seem to be|appear to be)? (about|relate to|relates to|related to|concern|concerns|refer to|deal with) @ $
    {source} (is|are) silent (on|about) @ $
    (left out|omitted|excluded|skipped|leave out) @ ,? (because|since|as) _*2 {none} {it} $
    drawing a blank on @ $
    (lack|lacking) of {info} {about} @ $
    @ (is|are|was|were) (missing|absent) {insource} $
    ({none} {found}?|not found|nothing found) (about|on|for)? : @ !
    {i} have nothing (on|about) @ $
    nothing {insource} (mentions?|refers? to|covers?|describes?) @ $
    @ {adverb}? ({not} {adverb}*2|nowhere|never) (mentioned|referenced|discussed|named|cited|covered|listed|included|featured|found|present|identified|described|contained) {place} $
    @ {adverb}? ({not} {adverb}*2|nowhere|never) (mentioned|referenced) !
    @ , {adverb} , {not} {adverb}*2 (mentioned|referenced|covered|listed|found) {place}? $
    neither @ (is|are|was|were) {adverb}? (mentioned|referenced|discussed|named|cited|covered|listed|included|featured|found|present|identified|described) {place} $
    neither @ (appears?|shows? up|turns? up|comes? up|features?) {place} $
    neither @ (appears?|is mentioned|are mentioned) !
    @ (is|was) nowhere to be found {place}? !
    @ {not} {adverb}? {insource} $
    @ {not} {adverb}? be (found|located|identified|verified) {place} $
    @ {not} {adverb}? be (found|located|identified|verified) !
    {source} (provided|i found|i have|available|above|i checked|you (provided|shared)|given|retrieved|returned)? {not} {adverb}*2 (mention|contain|include|list|reference|cover|discuss|name|cite|show|feature|refer to|describe|identify|make any mention of) @ $
    (and|but) {not} {adverb}*2 (mention|reference|refer to) @ $
    @ (has|have) no presence {place} $
    (none|neither) of (them|these|those|the others) (mentions?|contains?|includes?|lists?|references?|covers?|discuss|discusses|names?|cites?|refers? to|describes?) @ $
    (none|neither) of {which}*2 ({adj}|provided|given|cited|retrieved|two|three|four|five)*3 {source} (provided|i found|i have|available|above|i checked|you (provided|shared)|given|retrieved|returned)? {adverb}? (mentions?|contains?|includes?|lists?|references?|covers?|discuss|discusses|names?|cites?|refers? to|describes?) @ $
    no (other)? {adj}*3 {source} (mentions?|contains?|includes?|lists?|references?|covers?|discuss|discusses|refers? to|describes?) @ $
    (mentions?|mentioned|ask about|asked about|asking about|refers? to|bring up|brought up) @ ,? (but|and|though|however) _*4 {none} {found}? {it} $
    no ({adj}|well-known|recognized|widely)*3 {thing} (called|named|known as|by the name of|with the name) @ $
    @ {not} {adverb}*2 exist !
    @ {not} exist {insource} $
    no such {thing} as @ $
    ({not}|unable to|no|without) _*3 (verify|confirm|establish|evidence|clear|sure|certain) (that|whether|if)? @ (actually|really)? exists $
    unclear (whether|if) @ (actually|really)? exists $
    {lacking} (evidence of|confirm|verify|confirmation of)? (the)? existence of @ $
    ^ _? (regarding|concerning|as for|as to|about|on|with regards? to|with respect to|when it comes to|for|in the case of) @ ,? (_*4 ,)? _*4 {none} {found}? {it}? $
    (searched|looked|checked|search|searching|looking|tried) (_ _?)? (for|up|into|on) ({info} {about})? @ {place}? ,? (but|and|yet|however|though) _*4 ({none}|come up empty|came up empty) {found}? {it}? $
    (search|searches|query|queries|lookup|searching) (for|on|about|of) @ {place}? _*2 (return|returned|returns|yielded|yield|yields|produced|produce|produces|gave|gives|brought up|turned up|turns up|came up|comes up) (with)? (no {info}|nothing|empty|zero {info}|without {info}) $
    @ : (_*4 {none} {found}? {it}?|not (found|mentioned)|({i}) (not familiar|unfamiliar) with (it|this|that|them) _?) $
    (came|come|coming) up empty (on|for|with|when (searching|looking) for) @ $
    @ (is|remains) (unknown|unfamiliar|not known|not familiar) to me $
    @ (is not|isn't|are not|aren't) (a|an|any|one|something)? _? {thing}? (that|which)? (i'm|i am|i|i have) (familiar with|aware of|know|recogni[sz]e|know of|information (on|about)) $
  `,
};
