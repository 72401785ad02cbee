import { getRoute } from './exchange.ts';
import type { Exchange } from './exchange.ts';

export function checkPathIds(exchange: Exchange): void {
  const { invalidIds } = getRoute(exchange);
  if (invalidIds !== undefined) throw invalidIds;
}
