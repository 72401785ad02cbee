import type {
  BrandVisibilityClient,
  List,
  ListBreakdownInput,
  ListPagesInput,
  ListScoresInput,
} from '@bv/sdk';
import { type Columns, columns } from './columns.ts';

export type Row = Readonly<Record<string, unknown>>;

/** What a dataset may be narrowed by. */
export type Filters = Pick<
  ListBreakdownInput,
  'by' | 'country' | 'platform' | 'prompt_kind' | 'series' | 'tag'
> &
  Pick<ListPagesInput, 'domain' | 'gap'> &
  Pick<ListScoresInput, 'window'>;
export type FilterName = keyof Filters;

/** What is exported. */
export type Selection = Filters & { orgId: string; brandId: string; from: string; to: string };

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
  /** The filters that have an effect on it. */
  filters: readonly FilterName[];
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

/** Figures of the whole window: those of parts could not be joined. */
const keepWindow = (window: Part): Part[] => [window];

async function getPromptSegments(
  client: BrandVisibilityClient,
  { brandId, ...selection }: Selection,
): Promise<Segment[]> {
  const prompts = await client.listPrompts({ orgId: selection.orgId, brand_id: brandId, limit: 200 }).all();
  return prompts.flatMap(({ id: promptId }) =>
    splitWindow(selection).map(({ from, to }) => ({
      id: `${promptId} ${from}`,
      from,
      read: (cursor) => client.listPromptResults({ ...selection, from, to, promptId, limit: 200, cursor }),
    })),
  );
}

const answers = ['platform', 'country'] as const;

export const datasets = {
  mentions: {
    columns: columns.mentions,
    filters: answers,
    isByDate: true,
    getSegments: ofBrand(splitWindow, 1000, (client, input) => client.listMentions(input)),
  },
  scores: {
    columns: columns.scores,
    filters: ['country', 'window'],
    isByDate: true,
    getSegments: ofBrand(splitWindow, 200, (client, input) => client.listScores(input)),
  },
  'share-of-voice': {
    columns: columns['share-of-voice'],
    filters: answers,
    isByDate: true,
    getSegments: ofBrand(splitWindow, 200, (client, input) => client.listShareOfVoice(input)),
  },
  breakdown: {
    columns: columns.breakdown,
    filters: [...answers, 'by', 'series', 'tag', 'prompt_kind'],
    isByDate: false,
    getSegments: ofBrand(keepWindow, 200, (client, input) =>
      client.listBreakdown({ by: 'prompt', ...input }),
    ),
  },
  sources: {
    columns: columns.sources,
    filters: [...answers, 'gap'],
    isByDate: false,
    getSegments: ofBrand(keepWindow, 200, (client, input) => client.listSources(input)),
  },
  pages: {
    columns: columns.pages,
    filters: [...answers, 'gap', 'domain'],
    isByDate: false,
    getSegments: ofBrand(keepWindow, 200, (client, input) => client.listPages(input)),
  },
  'discovered-brands': {
    columns: columns['discovered-brands'],
    filters: answers,
    isByDate: false,
    getSegments: ofBrand(keepWindow, 200, (client, input) => client.listDiscoveredBrands(input)),
  },
  results: {
    columns: columns.results,
    filters: answers,
    isByDate: false,
    getSegments: getPromptSegments,
  },
} as const satisfies Record<string, Dataset>;

export type DatasetName = keyof typeof datasets;
export const getDataset = (name: DatasetName): Dataset => datasets[name];
