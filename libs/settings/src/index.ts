export { describeProblems } from './problems.ts';
export { developmentSubject, subject } from './subject.ts';
export { baseUrl, httpUrl, natsUrls, postgresUrl, redisUrl } from './url-fields.ts';
