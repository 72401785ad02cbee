export { prepareHmac } from './hmac.ts';
export type { Hmac } from './hmac.ts';
export { createKeyRing } from './key-ring.ts';
export type { EncryptionKey, KeyRing, Layout } from './key-ring.ts';
