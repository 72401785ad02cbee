import type { BreakdownRow } from '@bv/sdk';
import { showPeriod } from '../data/day.ts';
import { useData } from '../data/use-data.ts';
import { Loaded, Section } from '../frame/section.tsx';
import { Picture } from '../pictures/picture.tsx';
import { count } from '../words/labels.ts';
import type { PartProps } from './part.ts';
import { sliceColumns, toBar, toCells } from './slice.ts';

const kinds: Record<string, string> = {
  branded: 'Branded: the prompt names the brand',
  competitor: 'The prompt names competitors only',
  unbranded: 'Unbranded: the prompt names no tracked brand',
};

/** Prompts that name the brand say little about whether people find it. */
export function PromptKinds({ scope, period, method }: PartProps) {
  const input = { ...scope, ...period, by: 'prompt_kind' as const };
  const data = useData('breakdown', input, (client, query) => client.listBreakdown(query).all());
  return (
    <Section
      id="prompt-kinds"
      title="Branded and unbranded"
      lead="An answer to a prompt that names the brand nearly always mentions it. Unbranded prompts show whether people find it."
    >
      <Loaded data={data}>
        {(rows) => (
          <Picture
            name="prompt-kinds"
            label={rows
              .map((row) => `${kinds[row.key] ?? row.key}: ${row.mention_rate ?? 'no data'} %`)
              .join('; ')}
            content={{
              kind: 'bars',
              form: 'interval',
              top: 100,
              bars: rows.map((row) => toBar(row, kinds[row.key] ?? row.key)),
            }}
            table={{
              columns: ['Kind', ...sliceColumns, 'Prompts'],
              rows: rows.map((row) => [row.key, ...toCells(row), row.prompts_measured]),
            }}
            method={method}
            caption={
              <>
                {showPeriod(period)}: {count(sum(rows, 'units_answered'), 'answer')} to{' '}
                {count(sum(rows, 'prompts_measured'), 'prompt')}.
              </>
            }
            guide="method-in-depth#bounds-with-few-prompts"
          />
        )}
      </Loaded>
    </Section>
  );
}

const sum = (rows: readonly BreakdownRow[], field: 'units_answered' | 'prompts_measured'): number =>
  rows.reduce((total, row) => total + row[field], 0);
