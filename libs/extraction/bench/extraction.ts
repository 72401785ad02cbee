import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { agreementOf, percent, rateByLexicon, scoreTones, toReport } from '../src/labels/agreement.ts';
import { parsePassages, tones, unseenLabels } from '../src/labels/labelled-passages.ts';
import { namePrecision, nameRecall, readAnswers, scoreNames } from '../test/score-names.ts';
import { precision, recall, scoreLabelled } from '../test/score-labelled.ts';
import { rateAlways } from '../test/score-tones.ts';
import { readTraps, scoreTraps } from '../test/score-traps.ts';

import { publishFigures } from './published-figures.ts';

/**
 * Prints what the extraction finds in labelled texts: tracked names, presented names, and the tone of unseen mentions. `--write`
 * puts the figures of the tone into the methodology and the guide.
 */
const { values: options } = parseArgs({ options: { write: { type: 'boolean', default: false } } });
const print = (line: string): boolean => process.stdout.write(`${line}\n`);

const names = {
  'held-out sentences': scoreLabelled().heldOut,
  'held-out passages that mislead': scoreTraps(readTraps('held-out')).all,
};
for (const [text, counts] of Object.entries(names)) {
  const { truePositives, falseNegatives } = counts;
  const figures = `precision ${percent(precision(counts))} %, recall ${percent(recall(counts))} %`;
  print(`Names in ${text}: ${figures} of ${truePositives + falseNegatives} mentions`);
}

for (const set of ['tuned', 'held-out', 'written'] as const) {
  const { frequent, single } = scoreNames(readAnswers(set));
  for (const [names, counts] of Object.entries({
    'names of two answers': frequent,
    'single names': single,
  })) {
    const figures = `precision ${percent(namePrecision(counts))} %, recall ${percent(nameRecall(counts))} %`;
    print(`Presented names, ${set} answers, ${names}: ${figures} of ${counts.found + counts.missed} names`);
  }
}
const languages = Object.groupBy(readAnswers('written'), ({ language }) => language);
for (const [language, answers = []] of Object.entries(languages)) {
  const { found, missed, wrong } = scoreNames(answers).single;
  print(`Presented names, written answers in ${language}: ${found} found, ${missed} missed, ${wrong} wrong`);
}

const passages = parsePassages(readFileSync(unseenLabels, 'utf8'));
const score = scoreTones(passages, rateByLexicon(passages));
for (const line of toReport('Tone by the lexicon, unseen mentions', score)) print(line);
if (options.write) for (const { path, content } of publishFigures(score)) writeFileSync(path, content);

const constant = tones.map((tone) => ({
  tone,
  ...agreementOf(scoreTones(passages, rateAlways(passages, tone)).all),
}));
const majority = constant.reduce((most, each) => (each.right > most.right ? each : most));
for (const { tone, right, reversed } of constant) {
  const note = tone === majority.tone ? ', the most frequent' : '';
  if (tone === 'neutral' || tone === majority.tone) {
    print(`Always ${tone}${note}: ${percent(right)} % right, ${percent(reversed)} % reversed`);
  }
}
