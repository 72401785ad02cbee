import { useEffect, useState } from 'preact/hooks';
import { describeRefusal } from '../words/refusals.ts';

/** An error in plain words, with a button that waits as long as the API asks. */
export function Refused({
  error,
  retry,
  action = 'Try again',
}: {
  error: unknown;
  retry: () => void;
  action?: string;
}) {
  const { text, code, requestId, retryAfterSeconds = 0 } = describeRefusal(error);
  const [left, setLeft] = useState(retryAfterSeconds);
  useEffect(() => {
    setLeft(retryAfterSeconds);
    const end = Date.now() + retryAfterSeconds * 1000;
    const timer = setInterval(() => setLeft(Math.max(0, Math.ceil((end - Date.now()) / 1000))), 250);
    return () => clearInterval(timer);
  }, [error, retryAfterSeconds]);
  return (
    <div class="refused">
      {/* Without the button, whose seconds would be read aloud one by one. */}
      <div role="alert">
        <p>{text}</p>
        <p class="muted">
          {code === undefined ? null : <a href={`/docs/guides/error-codes#${code}`}>{code}</a>}
          {requestId === undefined ? null : <> · request {requestId}</>}
        </p>
      </div>
      <button type="button" disabled={left > 0} onClick={retry}>
        {left > 0 ? `${action} in ${showWait(left)}` : action}
      </button>
    </div>
  );
}

function showWait(seconds: number): string {
  if (seconds < 120) return `${seconds} s`;
  const hours = seconds / 3600;
  return hours < 2
    ? `${Math.ceil(seconds / 60)} min`
    : hours < 48
      ? `${Math.ceil(hours)} h`
      : `${Math.ceil(hours / 24)} days`;
}
