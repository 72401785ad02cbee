import { type Brand, isApiError, type PromptResult } from '@bv/sdk';
import { useEffect, useState } from 'preact/hooks';
import { useConnection } from '../data/connection.ts';
import { useData } from '../data/use-data.ts';
import { Refused } from '../frame/refused.tsx';
import { Loaded } from '../frame/section.tsx';
import { Legend } from '../frame/legend.tsx';
import { formatView, type View } from '../state/view.ts';
import { Answer } from './answer.tsx';

type Props = { brand: Brand; orgId: string; view: View; promptId: string };

const pageSize = 10;

/** The answers to a prompt, newest first, read page by page as the reader asks for more. */
export function Answers({ brand, orgId, view, promptId }: Props) {
  const input = { orgId, brand_id: brand.id, limit: 200 };
  const prompts = useData('prompts', input, (client, query) => client.listPrompts(query).all());
  const text = prompts.state === 'done' ? prompts.value.find(({ id }) => id === promptId)?.text : undefined;
  return (
    <>
      <p class="back">
        <a href={formatView({ ...view, prompt: undefined })}>Back to {brand.name}</a>
      </p>
      <h1 dir="auto">{text ?? 'Answers'}</h1>
      <Pages
        brandName={brand.name}
        key={`${promptId} ${view.market} ${view.platform}`}
        input={{ orgId, promptId, country: view.market, platform: view.platform, limit: pageSize }}
      />
    </>
  );
}

type Input = {
  orgId: string;
  promptId: string;
  country: string | undefined;
  platform: View['platform'];
  limit: number;
};

function Pages({ input, brandName }: { input: Input; brandName: string }) {
  const { client } = useConnection();
  const first = useData('answers', input, (each, query) => each.listPromptResults(query).page());
  const [rows, setRows] = useState<readonly PromptResult[]>([]);
  const [cursor, setCursor] = useState<string | null>(null);
  const [error, setError] = useState<unknown>();
  const [isRestarted, setRestarted] = useState(false);
  const start = (page: { data: readonly PromptResult[]; nextCursor: string | null }) => {
    setRows(page.data);
    setCursor(page.nextCursor);
  };
  useEffect(() => {
    if (first.state === 'done') start(first.value);
  }, [first.state]);
  /** Reads the next page. If a scan changed the list meanwhile, it starts again. */
  const more = async () => {
    setError(undefined);
    try {
      const page = await client.listPromptResults({ ...input, cursor: cursor ?? undefined }).page();
      setRows([...rows, ...page.data]);
      setCursor(page.nextCursor);
    } catch (thrown) {
      if (!isApiError(thrown, 'invalid_cursor')) return setError(thrown);
      setRestarted(true);
      start(await client.listPromptResults(input).page());
    }
  };
  const showMore = () => void more().catch(setError);
  return (
    <Loaded data={first}>
      {() => (
        <>
          {isRestarted ? (
            <p class="note" role="status">
              New results have arrived, so the list starts again.
            </p>
          ) : null}
          {rows.length === 0 ? (
            <p class="card empty">There are no answers of the last 30 days here.</p>
          ) : null}
          <Legend
            items={[
              ['own mark', brandName],
              ['competitor mark', 'Competitors'],
              ...(rows.some((row) => 'others' in row) ? [['other mark', 'Other names'] as const] : []),
            ]}
          />
          {rows.map((result) => (
            <Answer key={result.id} result={result} />
          ))}
          {error === undefined ? null : <Refused error={error} retry={showMore} />}
          {cursor === null || error !== undefined ? null : (
            <button type="button" class="more" onClick={showMore}>
              Show more answers
            </button>
          )}
        </>
      )}
    </Loaded>
  );
}
