import { useEffect, useMemo, useState } from 'preact/hooks';
import { type Connection, connect, ConnectionContext } from './data/connection.ts';
import { Explorer } from './explorer.tsx';
import { Allowance } from './frame/header.tsx';
import { Refused } from './frame/refused.tsx';
import { SignIn } from './frame/sign-in.tsx';
import { readKey, removeKey, storeKey, takeKeyFromFragment } from './state/key.ts';

/** A key that the client refuses as text never gets to a request. */
function tryToConnect(key: string | null): Connection | Error | undefined {
  try {
    return key === null ? undefined : connect(key);
  } catch (error) {
    return error as Error;
  }
}

export function App() {
  const [key, setKey] = useState(readKey);
  const connection = useMemo(() => tryToConnect(key), [key]);
  const open = (given: string) => {
    storeKey(given);
    setKey(given);
  };
  const close = () => {
    removeKey();
    setKey(null);
  };
  // A link with a key may be pasted while the page is open, which loads nothing again.
  useEffect(() => {
    const take = () => {
      takeKeyFromFragment();
      setKey(readKey());
    };
    addEventListener('hashchange', take);
    return () => removeEventListener('hashchange', take);
  }, []);
  const isOpen = connection !== undefined && !(connection instanceof Error);
  return (
    <ConnectionContext.Provider value={isOpen ? connection : undefined}>
      <a class="skip" href="#main">
        Skip to content
      </a>
      <header class="bar">
        <a class="product" href="/explore">
          Brand Visibility Explorer
        </a>
        <nav aria-label="Pages">
          <a href="/docs/guides/methodology">Method</a>
          <a href="/docs">API</a>
        </nav>
        {isOpen ? (
          <span class="session">
            <Allowance />
            <button type="button" onClick={close}>
              Sign out
            </button>
          </span>
        ) : null}
      </header>
      {connection === undefined ? <SignIn onKey={open} /> : null}
      {connection instanceof Error ? (
        <main id="main">
          <Refused error={connection} retry={close} action="Enter another key" />
        </main>
      ) : null}
      {isOpen ? <Explorer onClose={close} /> : null}
    </ConnectionContext.Provider>
  );
}
