import { z } from 'zod';
import type { PlatformId } from '../scalars.ts';

export const Surface = z.enum(['api', 'serp', 'app']).meta({ id: 'Surface' });
export type Surface = z.infer<typeof Surface>;

/** Where the answers of a platform come from: its API, or a search results page. */
export const platformSurfaces: Readonly<Record<PlatformId, Surface>> = {
  perplexity: 'api',
  chatgpt: 'api',
  gemini: 'api',
  claude: 'api',
  ai_overviews: 'serp',
};
