import { showMethod } from './data/causes.ts';
import { addDays, daysOf, getToday, periodUpTo } from './data/day.ts';
import { type Measured, readPlatformSeries, toMeasured } from './data/measured.ts';
import { type Loading, useData } from './data/use-data.ts';
import { Loaded, WhenSeen } from './frame/section.tsx';
import { PictureTitle } from './pictures/picture.tsx';
import { Breakdown } from './sections/breakdown.tsx';
import { Changes } from './sections/changes.tsx';
import { Discovered } from './sections/discovered.tsx';
import { Experiments } from './sections/experiments.tsx';
import { Figures } from './sections/figures.tsx';
import type { PageProps, Scope } from './sections/part.ts';
import { PrecisionSection } from './sections/precision.tsx';
import { PromptKinds } from './sections/prompt-kinds.tsx';
import { ShareOfVoice } from './sections/share-of-voice.tsx';
import { Sources } from './sections/sources.tsx';
import { Trend } from './sections/trend.tsx';
import { VerdictSection } from './sections/verdict.tsx';
import { viewLabel } from './words/labels.ts';

/** Of the curves. A page of a list has at most 200 rows. */
const shownDays = 90;

export function Overview(props: PageProps) {
  const { brand, orgId, view } = props;
  const { market: country, platform, window } = view;
  const scope: Scope = { orgId, brandId: brand.id, country, platform };
  const to = getToday();
  const series = { orgId, brandId: brand.id, country, window, from: addDays(to, 1 - shownDays), to };
  const scores = useData('scores', series, async (client, input) => {
    const rows = await client.listScores({ ...input, limit: 200 }).all();
    return rows.toReversed();
  });
  const ofPlatform = useData(
    'platform series',
    platform === undefined ? undefined : { ...series, platform },
    readPlatformSeries,
  );
  return (
    <PictureTitle.Provider value={`${brand.name}: ${viewLabel(view)}`}>
      <h1>{brand.name}</h1>
      {/* Paper shows no choices. */}
      <p class="printed">{viewLabel(view)}</p>
      <Loaded data={scores}>
        {(rows) => {
          const last = rows.at(-1);
          if (last === undefined) return <NoResults />;
          const part = {
            ...props,
            scope,
            period: periodUpTo(last.run_date, daysOf[window]),
            method: showMethod(last),
          };
          const measured: Loading<Measured[]> =
            platform === undefined
              ? { state: 'done', value: rows.map((row) => toMeasured(row, row.run_date)) }
              : ofPlatform;
          return (
            <>
              <VerdictSection {...part} />
              <Figures {...part} rows={rows} />
              <Loaded data={measured}>{(points) => <Trend {...part} rows={rows} measured={points} />}</Loaded>
              <WhenSeen>{() => <PrecisionSection {...part} />}</WhenSeen>
              <WhenSeen>{() => <Breakdown {...part} />}</WhenSeen>
              <WhenSeen>{() => <PromptKinds {...part} />}</WhenSeen>
              <WhenSeen>
                {() => (
                  <Loaded data={measured}>
                    {(points) => <ShareOfVoice {...part} rows={rows} measured={points} />}
                  </Loaded>
                )}
              </WhenSeen>
              <WhenSeen>{() => <Discovered {...part} />}</WhenSeen>
              <WhenSeen>{() => <Sources {...part} />}</WhenSeen>
              <WhenSeen>{() => <Experiments {...part} />}</WhenSeen>
              <WhenSeen>{() => <Changes {...part} />}</WhenSeen>
            </>
          );
        }}
      </Loaded>
    </PictureTitle.Provider>
  );
}

function NoResults() {
  return (
    <div class="card empty">
      <p>
        There are no results of the last {shownDays} days here. They appear after the first scan of the brand.
        Another market may have some.
      </p>
    </div>
  );
}
