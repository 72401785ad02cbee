import { useEffect, useState } from 'preact/hooks';

/** Colours of a picture. They are attributes of its SVG, so that a saved picture looks the same. */
export type Palette = Record<'paper' | 'ink' | 'muted' | 'line' | 'own' | 'competitor' | 'other', string>;

const light: Palette = {
  paper: '#ffffff',
  ink: '#1b2330',
  muted: '#596273',
  line: '#dfe3ea',
  own: '#1f5fc4',
  competitor: '#b4540a',
  other: '#8b94a5',
};
const dark: Palette = {
  paper: '#171c24',
  ink: '#e8ecf3',
  muted: '#a4adbd',
  line: '#313949',
  own: '#86b4ff',
  competitor: '#f2a65e',
  other: '#7b8598',
};

/** The colours of the reader's scheme. Paper is always light. */
export function usePalette(): Palette {
  const [isDark, setDark] = useState(false);
  useEffect(() => {
    const queries = [matchMedia('(prefers-color-scheme: dark)'), matchMedia('print')] as const;
    const read = () => setDark(queries[0].matches && !queries[1].matches);
    read();
    for (const query of queries) query.addEventListener('change', read);
    return () => {
      for (const query of queries) query.removeEventListener('change', read);
    };
  }, []);
  return isDark ? dark : light;
}

/** The text of a picture, as SVG readers understand it. */
export const textStyle = ({ ink }: Palette): Record<string, string> => ({
  color: ink,
  background: 'transparent',
  fontSize: '12px',
  fontFamily: "system-ui, -apple-system, 'Segoe UI', Roboto, 'Liberation Sans', sans-serif",
});
