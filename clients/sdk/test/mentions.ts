/** Rows of `listMentions` as an export has them. */
export const header = 'prompt_id,run_date,platform,country,finalized_at,mentioned,position,sentiment';

export const mention = (number: number, more: object = {}) => ({
  prompt_id: `p${number}`,
  run_date: '2026-11-21',
  platform: 'gemini',
  country: 'DE',
  finalized_at: '2026-11-21T03:12:53.509485Z',
  mentioned: true,
  position: number,
  sentiment: null,
  ...more,
});
export const line = (number: number) =>
  `p${number},2026-11-21,gemini,DE,2026-11-21T03:12:53.509485Z,true,${number},`;
export const csv = (...numbers: number[]) => [header, ...numbers.map(line), ''].join('\n');
