import type { Panel } from './panel.ts';
import { panels, variables } from './panels.ts';

const columns = 3;
const width = 24 / columns;
const height = 8;

type Place = { id: number; x: number; y: number };

/** Panels in columns, from the left. A row has a title and begins at the left. */
function layOut(list: readonly Panel[]): unknown[] {
  const placed: unknown[] = [];
  let [x, y] = [0, 0];
  for (const panel of list) {
    if (x === columns || (panel.row !== undefined && x > 0)) {
      x = 0;
      y += height;
    }
    if (panel.row !== undefined) {
      placed.push(rowJson(panel.row, { id: placed.length + 1, x: 0, y }));
      y += 1;
    }
    placed.push(panelJson(panel, { id: placed.length + 1, x: x * width, y }));
    x += 1;
  }
  return placed;
}

function rowJson(title: string, { id, x, y }: Place) {
  return { id, type: 'row', title, collapsed: false, gridPos: { x, y, w: 24, h: 1 }, panels: [] };
}

function panelJson({ title, unit, queries, description }: Panel, { id, x, y }: Place) {
  return {
    id,
    type: 'timeseries',
    title,
    ...(description === undefined ? {} : { description }),
    datasource: { type: 'prometheus', uid: '${datasource}' },
    gridPos: { x, y, w: width, h: height },
    fieldConfig: {
      defaults: { unit, min: 0, custom: { fillOpacity: 10, showPoints: 'never' } },
      overrides: [],
    },
    options: { legend: { displayMode: 'list', placement: 'bottom' }, tooltip: { mode: 'multi' } },
    targets: Object.entries(queries).map(([legendFormat, expr], target) => ({
      refId: String.fromCodePoint(65 + target),
      expr,
      legendFormat,
    })),
  };
}

/** Grafana dashboards by name: edge, scans, results, webhooks, and the data stores with their clients. */
export function dashboards(): Map<string, unknown> {
  return new Map(
    Object.entries(panels).map(([name, list]) => [
      name,
      {
        uid: `brand-visibility-${name}`,
        title: `Brand Visibility: ${name}`,
        tags: ['brand-visibility'],
        schemaVersion: 41,
        editable: false,
        refresh: '30s',
        time: { from: 'now-6h', to: 'now' },
        templating: { list: variables },
        panels: layOut(list),
      },
    ]),
  );
}
