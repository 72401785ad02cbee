export type Line = { name: string; points: readonly { x: number; y: number }[] };
/** The cost at each size. */
export type Growth = { name: string; points: readonly { size: number; cost: number }[] };
export type Bar = { name: string; value: number; text: string };
type Axes = { title: string; xLabel: string; yLabel: string };

const colours = ['#1f6feb', '#d1242f', '#1a7f37', '#9a6700', '#8250df', '#57606a', '#bf3989'];
const width = 720;
const left = 64;
const top = 40;

const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
const round = (number: number): string => String(Math.round(number * 10) / 10);

function frame(height: number, title: string, content: readonly string[]): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12">`,
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    `<text x="16" y="22" font-size="14" font-weight="bold">${escape(title)}</text>`,
    ...content,
    '</svg>',
    '',
  ].join('\n');
}

/** Bars in the order of the caller. */
export function barChart(title: string, bars: readonly Bar[]): string {
  const labels = 300;
  const largest = Math.max(...bars.map(({ value }) => value), Number.MIN_VALUE);
  const scale = (width - labels - 60) / largest;
  const rows = bars.flatMap(({ name, value, text }, index) => {
    const y = top + index * 26;
    return [
      `<text x="${labels - 8}" y="${y + 15}" text-anchor="end">${escape(name)}</text>`,
      `<rect x="${labels}" y="${y + 2}" width="${round(value * scale)}" height="18" fill="${colours[0]}"/>`,
      `<text x="${round(labels + value * scale + 6)}" y="${y + 15}">${escape(text)}</text>`,
    ];
  });
  return frame(top + bars.length * 26 + 12, title, rows);
}

/** A round step that divides a range into about five parts. */
function roundStep(range: number): number {
  const rough = range / 5;
  const power = 10 ** Math.floor(Math.log10(rough));
  return ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power;
}

/** Lines over x, both axes from zero. */
export function lineChart(axes: Axes, lines: readonly Line[]): string {
  const height = 320;
  const bottom = height - 48;
  const points = lines.flatMap((line) => line.points);
  const [maxX, maxY] = [Math.max(...points.map(({ x }) => x), 1), Math.max(...points.map(({ y }) => y), 1)];
  const atX = (x: number): number => left + (x / maxX) * (width - left - 24);
  const atY = (y: number): number => bottom - (y / maxY) * (bottom - top - 24);
  const ticks = (max: number): number[] => {
    const step = roundStep(max);
    return Array.from({ length: Math.floor(max / step) + 1 }, (_, index) => index * step);
  };
  const grid = [
    ...ticks(maxY).flatMap((y) => [
      `<path d="M${left} ${round(atY(y))}H${width - 24}" stroke="#d0d7de"/>`,
      `<text x="${left - 6}" y="${round(atY(y) + 4)}" text-anchor="end">${round(y)}</text>`,
    ]),
    ...ticks(maxX).map(
      (x) => `<text x="${round(atX(x))}" y="${bottom + 16}" text-anchor="middle">${round(x)}</text>`,
    ),
    `<text x="${width - 24}" y="${height - 10}" text-anchor="end">${escape(axes.xLabel)}</text>`,
    `<text x="16" y="${top}">${escape(axes.yLabel)}</text>`,
  ];
  const legendStep = Math.min(130, (width - left - 110) / lines.length);
  const drawn = lines.flatMap(({ name, points: path }, index) => {
    const colour = colours[index % colours.length] ?? '';
    const d = path.map(({ x, y }) => `${round(atX(x))} ${round(atY(y))}`).join('L');
    const legend = round(left + 110 + index * legendStep);
    return [
      `<path d="M${d}" fill="none" stroke="${colour}" stroke-width="1.5"/>`,
      `<text x="${legend}" y="${top}" fill="${colour}">${escape(name)}</text>`,
    ];
  });
  return frame(height, axes.title, [...grid, ...drawn]);
}

/** Costs divided by that of the first size, over a logarithmic axis of sizes. */
export function growthChart(title: string, sizes: string, all: readonly Growth[]): string {
  const smallest = all[0]?.points[0]?.size ?? Number.NaN;
  const lines = all.map(({ name, points }) => ({
    name,
    points: points.map(({ size, cost }) => ({
      x: Math.log10(size / smallest),
      y: cost / (points[0]?.cost ?? Number.NaN),
    })),
  }));
  return lineChart({ title, xLabel: `${sizes}: ${smallest} times ten to the ...`, yLabel: 'times' }, lines);
}
