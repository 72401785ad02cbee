import { createReadStream } from 'node:fs';
import type { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import {
  type LabelledPassage,
  parsePassages,
  rateByLexicon,
  type Ratings,
  scoreTones,
  toBrands,
  toReport,
  unseenLabels,
} from '@bv/extraction/labels';
import { createLogger, createMetrics } from '@bv/telemetry';
import { scanMetrics } from '../telemetry.ts';
import type { JudgeBudget } from './judge-budget.ts';
import type { JudgeConfig } from './judge-config.ts';
import { createSentimentJudge } from './sentiment-judge.ts';

const usage = `judge check [FILE]
Rates labelled mentions by the configured LLM judge and by the lexicon, and prints how often each is right.
FILE has JSON lines: {"language": "en", "text": "Acme is slow.", "brands": {"Acme": "negative"}}
Without FILE: the labelled mentions of this release, ${unseenLabels}
`;

const maxFileBytes = 10_000_000;
/** Passages between two lines of progress. */
const progressStep = 20;

type Streams = { stdout: Writable; stderr: Writable };

/** Runs `judge check`. Returns the exit status: 1 if the LLM judge skipped passages, 2 for invalid usage, settings or FILE. */
export async function runJudgeCommand(
  [verb, file = unseenLabels, ...rest]: readonly string[],
  readConfig: () => JudgeConfig | null,
  { stdout, stderr }: Streams = process,
): Promise<number> {
  const print = (...lines: string[]): boolean => stdout.write(`${lines.join('\n')}\n`);
  if (verb !== 'check' || file.startsWith('-') || rest.length > 0) {
    stderr.write(usage);
    return verb === '--help' || file === '--help' ? 0 : 2;
  }
  let config: JudgeConfig | null;
  let passages: LabelledPassage[];
  try {
    config = readConfig();
    passages = parsePassages(await readLimited(file));
  } catch (error) {
    stderr.write(`${error instanceof Error ? error.message : 'unknown error'}\n`);
    return 2;
  }
  print(...toReport('Lexicon', scoreTones(passages, rateByLexicon(passages))));
  if (config === null) {
    print('No LLM judge is configured: set SENTIMENT_JUDGE_BASE_URL, or a key of ChatGPT or Gemini.');
    return 0;
  }
  const { ratings, cost, skipped } = await rateByJudge(config, passages, stderr);
  print(...toReport(`LLM judge, ${config.model}`, scoreTones(passages, ratings)));
  print(`cost of ${passages.length} passages: ${cost}`);
  if (skipped > 0) print(`${skipped} passages are not rated and count as wrong: the figures are too low.`);
  return skipped > 0 ? 1 : 0;
}

async function readLimited(file: string): Promise<string> {
  const content = await text(createReadStream(file, { end: maxFileBytes }));
  if (Buffer.byteLength(content) > maxFileBytes) throw new Error('FILE has more than 10 MB');
  return content;
}

/** Each call has the deadline of the settings. After failures in a row, or above the budget, the others are skipped. */
async function rateByJudge(config: JudgeConfig, passages: readonly LabelledPassage[], stderr: Writable) {
  const costs: (number | null)[] = [];
  const metrics = scanMetrics(createMetrics('scans'));
  const judge = createSentimentJudge(config, {
    metrics: {
      ...metrics,
      judgeUsed: (_usage, costUsd) => costs.push(costUsd),
    },
    log: createLogger({ service: 'scans', level: 'warn', destination: stderr }),
    budget: config.monthlyBudgetUsd === null ? null : budgetOfRun(config.monthlyBudgetUsd),
  });
  const ratings: Ratings[number][] = passages.map(() => []);
  const queue = passages.entries();
  let done = 0;
  let skipped = 0;
  const work = async (): Promise<void> => {
    for (const [index, passage] of queue) {
      const brands = toBrands(passage);
      const judgements = await judge.rate(passage.text, brands, { signal: neverAborted });
      if (judgements === null) skipped += 1;
      else ratings[index] = brands.map((_, brand) => judgements.get(brand)?.sentiment);
      done += 1;
      if (done % progressStep === 0) stderr.write(`${done} of ${passages.length} passages\n`);
    }
  };
  try {
    await Promise.all(Array.from({ length: config.concurrency }, work));
  } finally {
    await judge.close();
  }
  const sum = costs.reduce<number>((total, cost) => total + (cost ?? 0), 0);
  return { ratings, skipped, cost: costs.includes(null) ? 'unknown, set its prices' : `$${sum.toFixed(4)}` };
}

/** The month is stored for the service only; its budget limits each run too. */
function budgetOfRun(limitUsd: number): JudgeBudget {
  let spentUsd = 0;
  return {
    reserve: (estimateUsd) => {
      if (spentUsd + estimateUsd > limitUsd) return Promise.resolve(null);
      spentUsd += estimateUsd;
      return Promise.resolve({
        settle: (costUsd) => {
          spentUsd += costUsd - estimateUsd;
          return Promise.resolve();
        },
      });
    },
  };
}

/** Ctrl+C ends the process. */
const neverAborted = new AbortController().signal;
