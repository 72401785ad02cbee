import { showPeriod } from '../data/day.ts';
import { addShares, type Voice } from '../data/voices.ts';
import { useData } from '../data/use-data.ts';
import { Loaded, Section } from '../frame/section.tsx';
import type { Bar } from '../pictures/bars.ts';
import { Picture } from '../pictures/picture.tsx';
import { count } from '../words/labels.ts';
import { describePoint, type SeriesProps } from './part.ts';

/** All tracked brands in the window, and the own brand over time with its bounds. */
export function ShareOfVoice(props: SeriesProps) {
  const { scope, period } = props;
  const shares = useData('share-of-voice', { ...scope, ...period }, (client, input) =>
    client.listShareOfVoice({ ...input, limit: 200 }).all(),
  );
  return (
    <Section
      id="share-of-voice"
      title="Share of voice"
      lead="Mentions of each tracked brand as a share of all of them."
    >
      <div class="two">
        <Loaded data={shares}>
          {(rows) => <Voices voices={addShares(rows)} caption={showPeriod(period)} method={props.method} />}
        </Loaded>
        <OwnVoice {...props} />
      </div>
    </Section>
  );
}

function Voices({ voices, caption, method }: { voices: readonly Voice[]; caption: string; method: string }) {
  const mentions = voices.reduce((sum, voice) => sum + voice.mentions, 0);
  return (
    <Picture
      name="share-of-voice"
      label={`Share of voice: ${voices.map(({ name, share }) => `${name} ${share} %`).join(', ')}`}
      content={{
        kind: 'bars',
        form: 'bar',
        top: Math.max(1, ...voices.map(({ share }) => share)),
        unit: ' %',
        bars: voices.map(toBar),
      }}
      table={{
        columns: ['Brand', 'Share of voice %', 'Mentions'],
        rows: voices.map(({ name, share, mentions }) => [name, share, mentions]),
      }}
      method={method}
      caption={
        <>
          {caption}: {count(mentions, 'mention')} in{' '}
          {count(voices.find(({ isOwn }) => isOwn)?.answers ?? 0, 'answer')}, those of the last scan of each
          day.
        </>
      }
      guide="methodology#combine-days-yourself"
    />
  );
}

function OwnVoice({ measured, brand, view, method }: SeriesProps) {
  const points = measured.map(({ day, figures }) => ({ day, ...figures.share_of_voice }));
  const last = measured.at(-1);
  return (
    <Picture
      name="share-of-voice-trend"
      label={`Share of voice of ${brand.name} over time, last ${points.at(-1)?.value ?? 'no data'} %`}
      content={{ kind: 'curve', label: 'Share of voice', points }}
      table={{
        columns: ['Day', 'Share of voice %', 'Low', 'High', 'Answers'],
        rows: measured.map(({ day, units, figures: { share_of_voice: share } }) => [
          day,
          share.value,
          share.low,
          share.high,
          units,
        ]),
      }}
      method={method}
      caption={
        <>
          {brand.name}
          {last?.figures.share_of_voice.low == null ? '' : ' with its 95 % interval'}.{' '}
          {last === undefined
            ? 'There are no answers.'
            : `The last point has ${count(last.units, 'answer')}: ${describePoint(last.day, view)}.`}
        </>
      }
      guide="methodology#windows"
    />
  );
}

const toBar = ({ name, share, mentions, isOwn }: Voice): Bar => ({
  label: isOwn ? `${name} (you)` : name,
  value: share,
  note: count(mentions, 'mention'),
  tone: isOwn ? 'own' : 'other',
});
