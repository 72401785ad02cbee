/**
 * Prints the picture of docs/guides/how-many-prompts.md: `node --conditions=@bv/source <this file> > <the picture>`.
 * The components are those of 420 answers to real prompts, of which 35 % mention the brand.
 */
import { tQuantile } from '../src/paired-test.ts';

const variance = 100 ** 2 * 0.35 * 0.65;
const components = { prompt: 0.47 * variance, repeat: 0.27 * variance };
const halfWidth = (prompts: number, repeats: number): number =>
  tQuantile(prompts - 1, 0.95) *
  Math.sqrt(components.prompt / prompts + components.repeat / (prompts * repeats));

const answers = [10, 20, 30, 40, 50, 60, 70, 80, 90, 100];
const lines = [
  {
    label: '10 prompts, more answers to each',
    colour: '#b4540a',
    value: (n: number) => halfWidth(10, n / 10),
  },
  { label: 'more prompts, one answer to each', colour: '#1f5fc4', value: (n: number) => halfWidth(n, 1) },
];
const [width, height, left, bottom] = [640, 300, 56, 48];
const x = (n: number): number => left + ((n - 10) / 90) * (width - left - 20);
const y = (points: number): number => height - bottom - (points / 35) * (height - bottom - 20);
const round = (value: number): number => Math.round(value * 10) / 10;
const text = (at: [number, number], anchor: string, content: string, colour = '#596273'): string =>
  `<text x="${round(at[0])}" y="${round(at[1])}" text-anchor="${anchor}" fill="${colour}">${content}</text>`;

process.stdout.write(
  [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="13">`,
    '<title>Half width of the interval by the number of answers</title>',
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    ...[0, 10, 20, 30].flatMap((points) => [
      `<path d="M${left} ${round(y(points))}H${width - 20}" stroke="#dfe3ea"/>`,
      text([left - 8, y(points) + 4], 'end', points === 0 ? '0' : `± ${points}`),
    ]),
    ...[10, 40, 70, 100].map((n) => text([x(n), height - bottom + 20], 'middle', String(n))),
    text([(left + width) / 2, height - 8], 'middle', 'answers'),
    ...lines.flatMap(({ label, colour, value }) => [
      `<path d="M${answers.map((n) => `${round(x(n))} ${round(y(value(n)))}`).join('L')}" fill="none" stroke="${colour}" stroke-width="2.5"/>`,
      text([x(100), y(value(100)) + 20], 'end', `${label}: ± ${Math.round(value(100))}`, colour),
    ]),
    '</svg>',
    '',
  ].join('\n'),
);
