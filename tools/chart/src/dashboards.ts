import type { Panel } from './panel.ts';
import { panels, variables } from './panels.ts';

const columns = 3;
const width = 24 / columns;
const height = 8;

function panelJson({ title, unit, queries, description }: Panel, index: number) {
  return {
    id: index + 1,
    type: 'timeseries',
    title,
    ...(description === undefined ? {} : { description }),
    datasource: { type: 'prometheus', uid: '${datasource}' },
    gridPos: {
      x: (index % columns) * width,
      y: Math.floor(index / columns) * height,
      w: width,
      h: height,
    },
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
        panels: list.map(panelJson),
      },
    ]),
  );
}
