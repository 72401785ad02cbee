import type { Experiment } from '@bv/sdk';
import { showDay, showPeriod } from '../data/day.ts';
import { useData } from '../data/use-data.ts';
import { Legend } from '../frame/legend.tsx';
import { Loaded, Section } from '../frame/section.tsx';
import { Picture, PictureTitle } from '../pictures/picture.tsx';
import { formatView } from '../state/view.ts';
import { describe, summarise } from '../words/experiment.ts';
import { count, verdictLabel } from '../words/labels.ts';
import type { PartProps } from './part.ts';

/** Whether a change of the customer did it: registered experiments, and the chosen one. */
export function Experiments({ orgId, brand, view }: PartProps) {
  const inBrand = { orgId, brandId: brand.id };
  const experiments = useData('experiments', inBrand, (client, input) =>
    client.listExperiments({ ...input, limit: 200 }).all(),
  );
  const rows = experiments.state === 'done' ? experiments.value : [];
  const experimentId = (rows.find(({ id }) => id === view.experiment) ?? rows[0])?.id;
  const input = experimentId === undefined ? undefined : { ...inBrand, experimentId };
  const chosen = useData('experiment', input, (client, query) => client.getExperiment(query));
  return (
    <Section
      id="experiments"
      title="Did our change work?"
      lead="Prompts that a change is for, against prompts that it is not for, before and after it."
    >
      <Loaded data={experiments}>
        {() =>
          rows.length === 0 ? (
            <p class="empty">
              There is no experiment of the brand yet.{' '}
              <a href="/docs/guides/did-our-change-work">The guide</a> says how to register one before you
              change something.
            </p>
          ) : (
            <>
              <ul class="experiments" aria-label="Experiments, newest first">
                {rows.map(({ id, name, starts_on: start, status, result }) => (
                  <li>
                    <a
                      href={formatView({ ...view, experiment: id })}
                      aria-current={id === experimentId ? 'true' : undefined}
                    >
                      {name}
                    </a>{' '}
                    <span class="muted">
                      from {showDay(start)} · {status}
                      {result?.verdict == null ? '' : `: ${verdictLabel(result.verdict)}`}
                    </span>
                  </li>
                ))}
              </ul>
              <Loaded data={chosen}>
                {(experiment) => (
                  <>
                    <div class={`statement ${experiment.result?.verdict ?? ''}`}>
                      <p class="headline">{summarise(experiment)}</p>
                      <p class="detail">{describe(experiment)}</p>
                    </div>
                    <Arms brand={brand.name} experiment={experiment} />
                  </>
                )}
              </Loaded>
            </>
          )
        }
      </Loaded>
    </Section>
  );
}

/** Whether the last day is over. */
const ends: Partial<Record<string, string>> = { running: ' so far', stopped: ', until it was stopped' };

/** Both arms before and after, with the effect if there is one. */
function Arms({ brand, experiment }: { brand: string; experiment: Experiment }) {
  const { name, metric, status, pre, post, result } = experiment;
  if (result === null || result.effect === null) return null;
  const { treated, control, effect } = result;
  const unit = metric === 'score' ? '' : ' %';
  const before = count(treated.units_before + control.units_before, 'answer');
  const after = count(treated.units_after + control.units_after, 'answer');
  return (
    <PictureTitle.Provider value={`${brand}: ${name}`}>
      <Legend
        items={[
          ['', 'Treated prompts'],
          ['other', 'Control prompts'],
          ['own dashed', 'Treated prompts, had they moved like the control prompts'],
          ['band', '95 % interval of the effect, from the dashed line'],
        ]}
      />
      <Picture
        name="experiment"
        label={describe(experiment)}
        content={{ kind: 'slope', treated, control, effect, unit }}
        table={{
          columns: ['Arm', 'Before', 'After', 'Prompts', 'Effect', 'Low', 'High'],
          rows: [
            [
              'Treated',
              treated.before,
              treated.after,
              treated.prompts,
              effect.value,
              effect.low,
              effect.high,
            ],
            ['Control', control.before, control.after, control.prompts, null, null, null],
          ],
        }}
        caption={`Before: ${showPeriod(pre)}, ${before}. After: ${showPeriod(post)}${ends[status] ?? ''}, ${after}.`}
        guide="did-our-change-work"
      />
    </PictureTitle.Provider>
  );
}
