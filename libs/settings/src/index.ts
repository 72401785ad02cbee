export { describeProblems } from './problems.ts';
export { baseUrl, httpUrl, natsUrls, postgresUrl, redisUrl } from './url-fields.ts';
