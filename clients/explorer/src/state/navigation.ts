import { useEffect, useState } from 'preact/hooks';
import { formatView, parseView, type View } from './view.ts';

export type Navigate = (changes: Partial<View>) => void;

/** The view that a plain click on a link opens in this page, if any. Links of pictures are SVG. */
function readLink(event: MouseEvent): string | undefined {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
    return undefined;
  const link = (event.target as Element).closest('a');
  const address = link?.getAttribute('href') ?? link?.getAttribute('xlink:href');
  return address?.startsWith('/explore') ? address : undefined;
}

/** The view of the address. A change is a step of the history, so the back button undoes it. */
export function useView(): [View, Navigate] {
  const [view, setView] = useState(() => parseView(location.search));
  const open = (address: string): void => {
    const { search } = new URL(address, location.href);
    const next = parseView(search);
    history.pushState(null, '', address);
    setView(next);
    if (next.prompt === view.prompt) return;
    scrollTo({ top: 0 });
    document.querySelector<HTMLElement>('#main')?.focus();
  };
  useEffect(() => {
    const read = () => setView(parseView(location.search));
    const follow = (event: MouseEvent) => {
      const address = readLink(event);
      if (address === undefined) return;
      event.preventDefault();
      open(address);
    };
    addEventListener('popstate', read);
    addEventListener('click', follow);
    return () => {
      removeEventListener('popstate', read);
      removeEventListener('click', follow);
    };
  }, [view]);
  return [view, (changes) => open(formatView({ ...view, ...changes }))];
}
