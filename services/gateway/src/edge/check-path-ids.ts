import { routeOf } from './exchange.ts';
import type { Exchange } from './exchange.ts';

export function checkPathIds(exchange: Exchange): void {
  const { invalidIds } = routeOf(exchange);
  if (invalidIds !== undefined) throw invalidIds;
}
