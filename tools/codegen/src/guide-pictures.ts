/** Pictures of the guides, from a recorded series. They have their own paper; the site inverts them in dark colours. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as Plot from '@observablehq/plot';
import { parseHTML } from 'linkedom';

type Point = { day: string; value: number; low: number; high: number };

const series = JSON.parse(readFileSync(join(import.meta.dirname, 'examples/series.json'), 'utf8')) as {
  day: Point[];
  '7d': Point[];
};
const threshold = 80;
const colours = { own: '#1f5fc4', ink: '#1b2330', line: '#dfe3ea', marked: '#b4540a' };
const x = ({ day }: Point): Date => new Date(day);

const band = (points: Point[]): Plot.Markish =>
  Plot.areaY(points, { x, y1: 'low', y2: 'high', fill: colours.own, fillOpacity: 0.16 });
const line = (points: Point[], more: object = {}): Plot.Markish =>
  Plot.lineY(points, { x, y: 'value', stroke: colours.own, strokeWidth: 2, ...more });
const dots = (points: Point[], fill: string): Plot.Markish => Plot.dot(points, { x, y: 'value', fill, r: 3 });

type Axes = { x: Plot.ScaleOptions; y: [number, number] };
const byTime: Axes = { x: { type: 'utc', label: null, ticks: 6 }, y: [40, 100] };

function draw(marks: Plot.Markish[], axes = byTime): string {
  const picture = Plot.plot({
    document: parseHTML('<html></html>').document,
    width: 720,
    height: 240,
    marginLeft: 54,
    marginBottom: 44,
    style: { background: 'white', color: colours.ink, fontSize: '13px', fontFamily: 'system-ui, sans-serif' },
    x: axes.x,
    y: { domain: axes.y, label: null, ticks: 4, tickFormat: (value: number) => `${value} %` },
    marks: [Plot.gridY({ stroke: colours.line, strokeOpacity: 1, ticks: 4 }), ...marks],
  });
  picture.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  return `${picture.outerHTML.replaceAll('><', '>\n<')}\n`;
}

/** Days on another side of the threshold than the day before. */
const crossings = series.day.filter(({ value }, index) => {
  const before = series.day[index - 1]?.value ?? value;
  return before >= threshold !== value >= threshold;
});

type Arm = { before: number; after: number };
const { scenarios } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../clients/sdk-scenarios/experiments.json'), 'utf8'),
) as { scenarios: { experiment: { result: { treated: Arm; control: Arm } } }[] };

/** The arms of the first experiment of the scenarios. */
function drawArms(): string {
  const result = scenarios[0]?.experiment.result;
  if (result === undefined) throw new Error('no experiment');
  const arms = [
    { name: 'treated prompts', colour: colours.own, arm: result.treated },
    { name: 'control prompts', colour: colours.marked, arm: result.control },
  ];
  const points = arms.flatMap(({ name, colour, arm: { before, after } }) => [
    { name, colour, when: 'before', value: before },
    { name, colour, when: 'after', value: after },
  ]);
  return draw(
    [
      Plot.line(points, { x: 'when', y: 'value', z: 'name', stroke: 'colour', strokeWidth: 2 }),
      Plot.dot(points, { x: 'when', y: 'value', fill: 'colour', r: 4 }),
      Plot.text(
        points.filter(({ when }) => when === 'after'),
        {
          x: 'when',
          y: 'value',
          text: ({ name, value }: { name: string; value: number }) => `${name}: ${value} %`,
          fill: 'colour',
          textAnchor: 'start',
          dx: 10,
        },
      ),
    ],
    { x: { type: 'point', domain: ['before', 'after'], label: null }, y: [0, 60] },
  );
}

/** Path and content of each picture. */
export const guidePictures = (): [path: string, svg: string][] => [
  ['docs/assets/mention-rate.svg', draw([band(series.day), line(series.day), dots(series.day, colours.own)])],
  [
    'docs/assets/days-and-weeks.svg',
    draw([band(series['7d']), dots(series.day, colours.marked), line(series['7d'])]),
  ],
  ['docs/assets/two-arms.svg', drawArms()],
  [
    'docs/assets/threshold-crossings.svg',
    draw([
      Plot.ruleY([threshold], { stroke: colours.ink, strokeDasharray: '4 3' }),
      line(series.day, { strokeWidth: 1.5 }),
      dots(crossings, colours.marked),
    ]),
  ],
];
