/** Number of calls of each kind per hundred arrivals: 95 reads and 5 writes. */
export const dayMix = {
  organisations: 10,
  brands: 15,
  summary: 15,
  prompts: 10,
  scores: 15,
  'share of voice': 10,
  mentions: 10,
  'prompt results': 10,
  'prompt update': 5,
};

export type DayCall = keyof typeof dayMix;
