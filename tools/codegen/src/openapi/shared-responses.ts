/** Moves error responses that several operations have in common to the components, which makes the document smaller. */
import { STATUS_CODES } from 'node:http';
import type { Operation } from '@bv/contract';
import { listOperations, type OpenApiJson } from './openapi-json.ts';

/** What the operations have in common that others lack, such as `PartnerWrite`. */
function nameKind(all: readonly Operation[]): string {
  const partner = all.every(({ partnerOnly }) => partnerOnly) ? 'Partner' : '';
  if (all.every(({ access }) => access === 'write')) return `${partner}Write`;
  return all.every(({ success }) => success.kind === 'list') ? `${partner}List` : `${partner}Read`;
}

export function shareResponses(document: OpenApiJson, operations: readonly Operation[]): void {
  const shared: Record<string, object> = (document.components.responses = {});
  for (const [status, reason = ''] of Object.entries(STATUS_CODES)) {
    if (Number(status) < 400) continue;
    const users = listOperations(document).filter(({ responses }) => status in responses);
    const byContent = Map.groupBy(users, ({ responses }) => JSON.stringify(responses[status]));
    const variants = [...byContent].toSorted(([, a], [, b]) => b.length - a.length);
    for (const [content, group] of variants) {
      const ids = new Set(group.map(({ operationId }) => operationId));
      const kind = nameKind(operations.filter(({ id }) => ids.has(id)));
      const name = `${reason.replaceAll(/\W/g, '')}${variants.length === 1 ? '' : `For${kind}`}`;
      if (group.length === 1 || name in shared) continue;
      shared[name] = JSON.parse(content) as object;
      for (const { responses } of group) responses[status] = { $ref: `#/components/responses/${name}` };
    }
  }
}
