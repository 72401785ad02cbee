/** What readers search for, by the word that the pages use instead. */
const synonyms: Record<string, string> = {
  'npm start': 'sandbox test mode trial',
  authentication: 'authenticate login',
  privacy: 'gdpr',
  capacity: 'sizing size',
  tier: 'plan price pricing subscription',
  csv: 'excel spreadsheet sheets download',
  '/explore': 'dashboard chart graph report',
  api_unavailable: 'status sla uptime outage',
  outage: 'status sla uptime availability',
  market: 'country countries region locale',
  'takes minutes': 'duration how long takes',
};

/** Adds to each section, for the index of the search only, the synonyms of a word as often as the word. A heading counts ten times. */
export const withSynonyms = (html: string): string =>
  html
    .split(/(?=<h[1-6])/)
    .map((section) => {
      const [heading = ''] = section.split('</h');
      const text = `${section} ${heading.repeat(9)}`.toLowerCase();
      const count = (word: string): number => text.split(word).length - 1;
      const added = Object.entries(synonyms).map(([word, others]) => ` ${others}`.repeat(count(word)));
      return `${section}<p>${added.join('')}</p>`;
    })
    .join('');
