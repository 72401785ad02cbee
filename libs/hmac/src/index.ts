export { prepareHmac } from './hmac.ts';
export type { Hmac } from './hmac.ts';
