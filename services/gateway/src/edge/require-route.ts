import { ApiError } from '@bv/contract';
import type { Exchange } from './exchange.ts';

/** An unknown path, or a method the path does not have. */
export function requireRoute({ route }: Exchange): void {
  if (route === undefined) throw new ApiError('not_found');
}
