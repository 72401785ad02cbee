import type { BrandVisibilityClient, List, PlatformId } from '@bv/sdk';

export type ColumnType = 'boolean' | 'date' | 'integer' | 'json' | 'number' | 'text' | 'time';
export type Columns = Readonly<Record<string, ColumnType>>;
export type Row = Readonly<Record<string, unknown>>;

/** What is exported. */
export type Selection = {
  orgId: string;
  brandId: string;
  from: string;
  to: string;
  platform?: PlatformId | undefined;
  country?: string | undefined;
};

/** One list. A dataset has one for each part of its window, or one for each prompt and part. */
export type Segment = {
  id: string;
  /** First day of its part. */
  from: string;
  read: (cursor: string | undefined) => List<Row>;
};

type Part = Pick<Selection, 'from' | 'to'>;

/** Most days from `from` to `to` of a list of rows. */
const maxPartDays = 366;

const addDays = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);

/** The parts of a window that the API accepts, newest first as the rows of a list. */
function splitWindow({ from, to }: Part): Part[] {
  const start = addDays(to, -maxPartDays);
  if (from >= start) return [{ from, to }];
  return [{ from: start, to }, ...splitWindow({ from, to: addDays(start, -1) })];
}

type Dataset = {
  columns: Columns;
  /** Whether rows are ordered by `run_date`, newest first, so that the date shows the progress. */
  isByDate: boolean;
  getSegments: (client: BrandVisibilityClient, selection: Selection) => Promise<Segment[]>;
};

type ReadList = (
  client: BrandVisibilityClient,
  input: Selection & { limit: number; cursor: string | undefined },
) => List<Row>;

/** A dataset that is one list of the brand for each of these parts of the window. */
const ofBrand =
  (split: (window: Part) => Part[], limit: number, list: ReadList): Dataset['getSegments'] =>
  (client, selection) =>
    Promise.resolve(
      split(selection).map(({ from, to }) => ({
        id: from,
        from,
        read: (cursor) => list(client, { ...selection, from, to, limit, cursor }),
      })),
    );

/** The figures of a source are those of the whole window, so parts could not be joined. */
const keepWindow = (window: Part): Part[] => [window];

async function getPromptSegments(
  client: BrandVisibilityClient,
  { brandId, ...selection }: Selection,
): Promise<Segment[]> {
  const prompts = await client
    .listPrompts({ orgId: selection.orgId, brand_id: brandId, limit: 200 }, { onStale: 'restart' })
    .all();
  return prompts.flatMap(({ id: promptId }) =>
    splitWindow(selection).map(({ from, to }) => ({
      id: `${promptId} ${from}`,
      from,
      read: (cursor) => client.listPromptResults({ ...selection, from, to, promptId, limit: 200, cursor }),
    })),
  );
}

export const datasets = {
  mentions: {
    isByDate: true,
    getSegments: ofBrand(splitWindow, 1000, (client, input) => client.listMentions(input)),
    columns: {
      prompt_id: 'text',
      run_date: 'date',
      platform: 'text',
      country: 'text',
      finalized_at: 'time',
      mentioned: 'boolean',
      position: 'integer',
      sentiment: 'number',
    },
  },
  scores: {
    isByDate: true,
    getSegments: ofBrand(splitWindow, 200, (client, input) => client.listScores(input)),
    columns: {
      brand_id: 'text',
      run_date: 'date',
      country: 'text',
      score: 'number',
      previous_score: 'number',
      change: 'number',
      mention_rate: 'number',
      mention_rate_low: 'number',
      mention_rate_high: 'number',
      average_position: 'number',
      sentiment: 'number',
      citation_rate: 'number',
      share_of_voice: 'number',
      units_total: 'integer',
      units_answered: 'integer',
      units_mentioned: 'integer',
      units_cited: 'integer',
      units_citations_unknown: 'integer',
      position_sum: 'number',
      sentiment_sum: 'number',
      sentiment_count: 'integer',
      platforms: 'json',
      models: 'json',
      model_changed: 'boolean',
      prompts_measured: 'integer',
      window: 'text',
      units_effective: 'number',
      method_version: 'text',
      computed_at: 'time',
    },
  },
  sources: {
    isByDate: false,
    getSegments: ofBrand(keepWindow, 200, (client, input) => client.listSources(input)),
    columns: {
      domain: 'text',
      category: 'text',
      is_own: 'boolean',
      competitor_id: 'text',
      citations: 'integer',
      units_cited: 'integer',
      citation_share: 'number',
      citation_rate: 'number',
      units_answered: 'integer',
      pages: 'integer',
      top_pages: 'json',
      platforms: 'json',
      countries: 'json',
      mentioned_rate: 'number',
      first_seen: 'date',
      last_seen: 'date',
    },
  },
  results: {
    isByDate: false,
    getSegments: getPromptSegments,
    columns: {
      id: 'text',
      prompt_id: 'text',
      brand_id: 'text',
      scan_id: 'text',
      run_date: 'date',
      platform: 'text',
      surface: 'text',
      collector: 'text',
      country: 'text',
      finalized_at: 'time',
      outcome: 'text',
      mentioned: 'boolean',
      mention_method: 'text',
      position: 'integer',
      sentiment: 'number',
      sentiment_method: 'text',
      cited: 'boolean',
      answer_text: 'text',
      answer_truncated: 'boolean',
      model: 'text',
      search_used: 'boolean',
      localization: 'text',
      search_queries: 'json',
      brands: 'json',
      sources: 'json',
      sources_unresolved: 'integer',
    },
  },
} as const satisfies Record<string, Dataset>;

export type DatasetName = keyof typeof datasets;
export const getDataset = (name: DatasetName): Dataset => datasets[name];
