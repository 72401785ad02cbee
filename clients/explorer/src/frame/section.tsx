import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Loading } from '../data/use-data.ts';
import { Refused } from './refused.tsx';

/** A part of the page with a heading. */
export function Section(props: {
  title: string;
  id: string;
  lead: string;
  controls?: ComponentChildren;
  children: ComponentChildren;
}) {
  const { title, lead, controls, children, id } = props;
  return (
    <section class="card" aria-labelledby={`${id}-title`} id={id}>
      <div class="heading">
        <h2 id={`${id}-title`}>{title}</h2>
        {controls}
      </div>
      <p class="lead">{lead}</p>
      {children}
    </section>
  );
}

/** Shows the value, or why there is none. */
export function Loaded<T>({
  data,
  children,
}: {
  data: Loading<T>;
  children: (value: T) => ComponentChildren;
}) {
  if (data.state === 'refused') return <Refused error={data.error} retry={data.retry} />;
  if (data.state === 'loading')
    return (
      <div class="loading" role="status">
        Loading
      </div>
    );
  return <>{children(data.value)}</>;
}

/** Renders its content when the reader is about to see it, so that unseen parts cost no requests. */
export function WhenSeen({ children }: { children: () => ComponentChildren }) {
  const place = useRef<HTMLDivElement>(null);
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    if (isSeen || place.current === null) return undefined;
    const observer = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && setSeen(true),
      { rootMargin: '200px' },
    );
    observer.observe(place.current);
    return () => observer.disconnect();
  }, [isSeen]);
  return isSeen ? <>{children()}</> : <div ref={place} class="card unseen" />;
}
