import { ApiError } from '@bv/contract';
import type { EdgeContext } from '../context.ts';
import type { Exchange } from './exchange.ts';
import { publicPath } from './find-route.ts';

/** A parameter of the path may be as long as the parser lets a request line be. */
const maxShown = 200;

/** An unknown path, or a method the path does not have; the message says which. */
export function requireRoute({ route, request }: Exchange, { routes }: EdgeContext): void {
  if (route !== undefined) return;
  const [path = ''] = request.url.split('?', 1);
  const known = publicPath(path);
  if (known === undefined || !routes.hasPath(known)) throw new ApiError('not_found');
  const shown = `${request.method} ${path}`.slice(0, maxShown);
  throw new ApiError('not_found', { message: `No such operation: ${shown}` });
}
