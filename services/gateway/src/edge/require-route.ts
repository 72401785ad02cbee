import { ApiError } from '@bv/contract';
import type { EdgeContext } from '../context.ts';
import type { Exchange } from './exchange.ts';
import { publicPath } from './find-route.ts';

/** The path can be as long as the parser accepts, so the message contains only its beginning. */
const maxShown = 200;

/** Refuses an unknown path. The message names an unknown method of a known path. */
export function requireRoute({ route, request }: Exchange, { routes }: EdgeContext): void {
  if (route !== undefined) return;
  const [path = ''] = request.url.split('?', 1);
  const apiPath = publicPath(path);
  if (apiPath === undefined || !routes.hasPath(apiPath)) throw new ApiError('not_found');
  const shown = `${request.method} ${path}`.slice(0, maxShown);
  throw new ApiError('not_found', { message: `No such operation: ${shown}` });
}
