export { readSettings } from './read-settings.ts';
export { redactSecrets } from './secrets.ts';
export { developmentSubject, subject } from './subject.ts';
export { baseUrl, httpUrl, natsUrls, postgresUrl, redisUrl, sentinelUrls } from './url-fields.ts';
