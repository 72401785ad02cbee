import type { PromptResult } from '@bv/sdk';
import { useState } from 'preact/hooks';
import { showDay } from '../data/day.ts';
import { count, marketLabel, platformLabel } from '../words/labels.ts';
import { toSegments } from './segments.ts';

/** Longer texts are folded. */
const shownCharacters = 900;

/** An answer as the platform gave it. Its text is never read as HTML, and its marks of direction end with it. */
export function Answer({ result }: { result: PromptResult }) {
  const [isOpen, setOpen] = useState(false);
  const text = result.answer_text;
  const isLong = (text?.length ?? 0) > shownCharacters;
  return (
    <article class="card answer">
      <h2>
        {platformLabel(result.platform)} · {marketLabel(result.country)} ·{' '}
        <time dateTime={result.run_date}>{showDay(result.run_date)}</time>
      </h2>
      <p class="muted">
        {result.outcome !== 'answered'
          ? 'No answer'
          : result.mentioned
            ? `Mentioned${result.position === null ? '' : ` at position ${result.position}`}`
            : 'Not mentioned'}
        {result.cited ? ' · cited' : ''} · model <bdi>{result.model ?? 'unknown'}</bdi>
        {result.answer_truncated ? ' · text incomplete' : ''}
      </p>
      {text === null ? (
        <p>
          {result.outcome === 'answered'
            ? 'The text of this answer is not kept.'
            : 'The platform gave no answer.'}
        </p>
      ) : (
        <div class={`text ${isLong && !isOpen ? 'folded' : ''}`} dir="auto">
          {toSegments(result).map(({ text: part, kind, name }) =>
            kind === undefined ? (
              part
            ) : (
              <mark class={kind} title={name}>
                <bdi>{part}</bdi>
              </mark>
            ),
          )}
        </div>
      )}
      {isLong ? (
        <button type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Show less' : 'Show the whole answer'}
        </button>
      ) : null}
      <Links sources={result.sources} />
    </article>
  );
}

function Links({ sources }: Pick<PromptResult, 'sources'>) {
  if (sources.length === 0) return null;
  return (
    <details class="links">
      <summary>{count(sources.length, 'source')}</summary>
      <ol>
        {sources.map(({ url, title, domain, cited, category }) => (
          <li>
            {/^https?:\/\//i.test(url) ? (
              <a href={url} target="_blank" rel="noopener noreferrer nofollow">
                <bdi>{title ?? url}</bdi>
              </a>
            ) : (
              <bdi>{title ?? url}</bdi>
            )}{' '}
            <span class="muted">
              <bdi>{domain}</bdi> · {category}
              {cited ? '' : ' · read, not cited'}
            </span>
          </li>
        ))}
      </ol>
    </details>
  );
}
