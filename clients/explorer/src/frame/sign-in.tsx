import { useState } from 'preact/hooks';

/** Asks for a key. A form that the browser submits would put it into an address. */
export function SignIn({ onKey }: { onKey: (key: string) => void }) {
  const [key, setKey] = useState('');
  return (
    <main id="main" class="sign-in">
      <h1>See how AI platforms mention your brand</h1>
      <p>
        Rates with their intervals, competitors, prompts, sources and the answers themselves, from the API
        that your key can read.
      </p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (key.trim() !== '') onKey(key.trim());
        }}
      >
        <label for="key">API key</label>
        <input
          id="key"
          type="password"
          autocomplete="off"
          spellcheck={false}
          required
          value={key}
          onInput={({ currentTarget }) => setKey(currentTarget.value)}
          aria-describedby="key-note"
        />
        <button type="submit" class="primary">
          Open
        </button>
      </form>
      <p class="muted" id="key-note">
        A key with the scope read is enough. It stays in this tab until you close it or sign out, and is sent
        to this server only. Each picture costs a request or two of its allowance.{' '}
        <a href="/docs">About the API</a>
      </p>
    </main>
  );
}
