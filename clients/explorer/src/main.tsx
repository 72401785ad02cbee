import { render } from 'preact';
import { App } from './app.tsx';
import { takeKeyFromFragment } from './state/key.ts';

// Before the first request, so that no address with a key is ever sent, stored or shared.
takeKeyFromFragment();
const root = document.querySelector('#explorer');
if (root !== null) {
  root.replaceChildren();
  render(<App />, root);
}
