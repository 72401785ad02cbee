import fc from 'fast-check';

export const days = ['2026-11-18', '2026-11-19', '2026-11-20'];
export const platforms = ['chatgpt', 'gemini'] as const;
export const countries = ['DE', 'US'];

/** The own brand, then its competitors: what each may be called, and what it may exclude. */
export const identities = [
  {
    domain: 'target.com',
    names: ['Target', 'TGT'],
    aliases: ['TGT', 'Target Stores'],
    exclude: ['target audience', 'target price'],
  },
  {
    domain: 'acme.com',
    names: ['Acme', 'ACME Corp'],
    aliases: ['ACME Corp', 'Visit'],
    exclude: ['acme of style'],
  },
  { domain: 'globex.com', names: ['Globex', 'Glo'], aliases: ['popular', 'Glo'], exclude: ['unlike Globex'] },
  {
    domain: 'initech.com',
    names: ['Initech', 'Init'],
    aliases: ['Prices', 'Init'],
    exclude: ['Initech and'],
  },
];

/** Some identities find a brand in them and others do not. */
const sentences = [
  'Target is a reliable choice.',
  'Define your target audience first.',
  'A target price helps, and TGT has poor support.',
  'TGT offers excellent service.',
  'I could not find any information about Target.',
  'Acme is great, unlike Globex.',
  'ACME Corp is slow and overpriced.',
  'Visit www.globex.com or initech.com today.',
  'Initech and Globex are both popular.',
  'The acme of style costs more.',
  'Prices vary by region.',
];

const anyAnswer = fc.record({
  day: fc.constantFrom(...days),
  platform: fc.constantFrom(...platforms),
  country: fc.constantFrom(...countries),
  prompt: fc.nat({ max: 1 }),
  isAnswered: fc.constantFrom(true, true, true, false),
  sentences: fc.array(fc.constantFrom(...sentences), { minLength: 1, maxLength: 6 }),
  /** Whether the last sentence is not stored. */
  isTruncated: fc.constantFrom(false, false, false, true),
  /** Whether the LLM judge rated the brands of the answer. */
  isJudged: fc.constantFrom(false, false, true),
  cited: fc.subarray([...identities.map(({ domain }) => domain), 'news-one.com', 'news-two.org']),
});
export type Answer = typeof anyAnswer extends fc.Arbitrary<infer T> ? T : never;

/** Brands are named by index. */
export const anyIdentityChange = fc.oneof(
  fc.record({
    kind: fc.constant('identity' as const),
    brand: fc.nat({ max: identities.length - 1 }),
    name: fc.nat({ max: 1 }),
    aliases: fc.subarray([0, 1]),
    excludes: fc.boolean(),
    case_sensitive: fc.boolean(),
    verify: fc.boolean(),
  }),
  fc.record({
    kind: fc.constant('link' as const),
    brand: fc.integer({ min: 1, max: identities.length - 1 }),
  }),
);

const anyAnswers = fc.array(anyAnswer, { minLength: 1, maxLength: 8 });
const anyDay = fc.constantFrom(...days);
/** A change of what the service knows. */
export const anyChange = fc.oneof(
  { weight: 2, arbitrary: anyIdentityChange },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('scan' as const), day: anyDay, answers: anyAnswers }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('import' as const), answers: anyAnswers }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete' as const), from: anyDay, to: anyDay }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('reprocess' as const), from: anyDay, to: anyDay }) },
);
export type Change = typeof anyChange extends fc.Arbitrary<infer T> ? T : never;
