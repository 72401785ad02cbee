import { sleep } from 'k6';
import type { Options } from 'k6/options';
import { parseBody, data, send, summaryTrendStats, writeSummary } from './response.ts';

declare const __VU: number;
declare const __ITER: number;

export const options: Options = {
  scenarios: {
    'bulk-read': {
      executor: 'constant-vus',
      exec: 'readAll',
      vus: data.size,
      duration: `${data.seconds}s`,
      gracefulStop: '60s',
    },
  },
  summaryTrendStats,
  thresholds: data.objectives,
};

type Page = {
  data: { prompt_id: string; platform: string; country: string; run_date: string }[];
  pagination: { next_cursor: string | null };
};

/** Reads all mentions of a brand, each page from the next gateway. The page size changes between reads. */
export function readAll(): void {
  const brands = data.orgs.flatMap(({ orgId, brands: own }) =>
    own.map(({ brandId }) => ({ orgId, brandId })),
  );
  const brand = brands[__VU % brands.length];
  const limit = [1_000, 200, 50][__ITER % 3];
  const name = `${brand?.brandId} ${__VU}.${__ITER}`;
  let cursor: string | null = null;
  let pages = 0;
  do {
    const query: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const path = `/orgs/${brand?.orgId}/brands/${brand?.brandId}/mentions?limit=${limit}${query}`;
    const gateway = (__VU + pages) % data.baseUrls.length;
    const sent = { method: 'GET', gateway, key: __VU % data.keys.length, path };
    const response = send(`limit ${limit}`, sent, ({ status, body }) => {
      if (status !== 200) return {};
      const page = JSON.parse(body ?? '') as Page;
      const rows = page.data.map((row) => `${row.prompt_id} ${row.platform} ${row.country} ${row.run_date}`);
      return { page: { readId: name, rows, last: page.pagination.next_cursor === null } };
    });
    if (response.status !== 200) return sleep(1);
    cursor = parseBody<Page>(response).pagination.next_cursor;
    pages += 1;
  } while (cursor !== null);
  sleep(0.05);
}

export const handleSummary = writeSummary;
