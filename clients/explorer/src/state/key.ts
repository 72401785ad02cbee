const name = 'bv-explorer-key';
const loopback = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** Removes the fragment from the address. On this machine a key in it is used, as in the link of `npm start`. */
export function takeKeyFromFragment(): void {
  const { hash, hostname, pathname, search } = location;
  const key = new URLSearchParams(hash.slice(1)).get('key');
  if (key === null) return;
  history.replaceState(null, '', pathname + search);
  if (loopback.test(hostname)) storeKey(key);
}

/** The key lives as long as the tab. */
export const readKey = (): string | null => sessionStorage.getItem(name);

export const storeKey = (key: string): void => sessionStorage.setItem(name, key);

export const removeKey = (): void => sessionStorage.removeItem(name);
