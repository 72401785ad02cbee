import { z } from 'zod';
import { operation } from '../operation.ts';
import {
  BrandParams,
  Cursor,
  limitUpTo,
  MarketFilter,
  OrgParams,
  page,
  PageQuery,
  PlatformFilter,
  PromptParams,
  windowQuery,
} from '../parameters.ts';
import { BrandSummary } from '../resources/brand.ts';
import { Mention, PromptResult, Score, ShareOfVoice, Source } from '../resources/result.ts';

const filters = { platform: PlatformFilter, country: MarketFilter };

export const listBrandSummaries = operation({
  id: 'listBrandSummaries',
  service: 'results',
  method: 'GET',
  path: '/orgs/{orgId}/brands/summary',
  summary: 'List one row per own brand: latest score, change, share of voice, freshness',
  params: OrgParams,
  query: PageQuery,
  body: null,
  success: { status: 200, kind: 'list', data: BrandSummary },
});

export const listPromptResults = operation({
  id: 'listPromptResults',
  service: 'results',
  method: 'GET',
  path: '/orgs/{orgId}/prompts/{promptId}/results',
  summary: 'List the finalised results of a prompt',
  params: PromptParams,
  query: z.object({ ...page, ...windowQuery, ...filters }),
  body: null,
  success: { status: 200, kind: 'list', data: PromptResult },
  errors: ['scan_in_progress'],
});

export const listMentions = operation({
  id: 'listMentions',
  service: 'results',
  method: 'GET',
  path: '/orgs/{orgId}/brands/{brandId}/mentions',
  summary: 'List mention rows of an own brand, one per finalised run unit',
  params: BrandParams,
  query: z.object({ limit: limitUpTo(1000), cursor: Cursor, ...windowQuery, ...filters }),
  body: null,
  success: { status: 200, kind: 'list', data: Mention },
  errors: ['scan_in_progress'],
});

export const listScores = operation({
  id: 'listScores',
  service: 'results',
  method: 'GET',
  path: '/orgs/{orgId}/brands/{brandId}/scores',
  summary: 'List the daily scores of an own brand: the all-market series, or that of one country',
  params: BrandParams,
  query: z.object({ ...page, ...windowQuery, country: MarketFilter }),
  body: null,
  success: { status: 200, kind: 'list', data: Score },
});

export const listShareOfVoice = operation({
  id: 'listShareOfVoice',
  service: 'results',
  method: 'GET',
  path: '/orgs/{orgId}/brands/{brandId}/share-of-voice',
  summary: 'List the share of voice of an own brand and its tracked competitors',
  params: BrandParams,
  query: z.object({ ...page, ...windowQuery, ...filters }),
  body: null,
  success: { status: 200, kind: 'list', data: ShareOfVoice },
});

export const listSources = operation({
  id: 'listSources',
  service: 'results',
  method: 'GET',
  path: '/orgs/{orgId}/brands/{brandId}/sources',
  summary: 'List the domains that answers about an own brand cite',
  params: BrandParams,
  query: z.object({ ...page, ...windowQuery, ...filters }),
  body: null,
  success: { status: 200, kind: 'list', data: Source },
  errors: ['scan_in_progress'],
});
