import { z } from 'zod';
import { pathProblem, urlProblem, type UrlRules } from './url-problem.ts';

const isPath = (text: string): boolean => /^\/(?!\/)/.test(text);

type Problem = (text: string) => string | undefined;

/**
 * White space around the value is removed, because a setting from a file ends in a newline. `form` is the type in
 * docs/configuration.md.
 */
const field = (form: string, problem: Problem, description: string) =>
  z
    .string()
    .trim()
    .superRefine((text, context) => {
      const message = problem(text);
      if (message !== undefined) context.addIssue({ code: 'custom', message });
    })
    .meta({ description, form });

const redisRules: UrlRules = {
  schemes: ['redis', 'rediss'],
  store: true,
  // The client takes any of its options from the query, those that bound its waits and repetitions included.
  parameters: { family: /^[046]$/, db: /^\d+$/ },
};

/** URL of one Redis, or the absolute path of its Unix socket. */
export const redisUrl = (description: string) =>
  field(
    'Redis URL',
    (text) => {
      if (isPath(text)) return pathProblem(text, redisRules);
      const problem = urlProblem(text, redisRules);
      if (problem !== undefined) return problem;
      const isDatabase = /^(?:\/\d*)?$/.test(new URL(text).pathname);
      return isDatabase ? undefined : 'expected the number of a database after the host, or nothing';
    },
    description,
  );

const postgresRules: UrlRules = {
  schemes: ['postgres', 'postgresql'],
  store: true,
  hostParameter: true,
  otherParameters: true,
  // The client ignores a mode that it does not know.
  parameters: { sslmode: /^(?:disable|prefer|require|verify-ca|verify-full|no-verify)$/ },
};

/** URL of one PostgreSQL, or the directory of its Unix socket in one of the two forms that the client accepts. */
export const postgresUrl = (description: string) =>
  field(
    'Postgres URL',
    (text) => {
      const path = text.replace(/^socket:/, '');
      return isPath(path) ? pathProblem(path, postgresRules) : urlProblem(text, postgresRules);
    },
    description,
  );

/** URLs of servers, separated by commas. */
const serverUrls =
  (form: string, schemes: readonly string[]) =>
  (description: string): ReturnType<typeof field> =>
    field(
      form,
      (text) => {
        const rules: UrlRules = { schemes, store: true, authorityOnly: true };
        const problems = text.split(',').map((server) => urlProblem(server.trim(), rules));
        return problems.find((problem) => problem !== undefined);
      },
      description,
    );

export const natsUrls = serverUrls('NATS URLs', ['nats', 'tls']);
export const sentinelUrls = serverUrls('Redis URLs', ['redis', 'rediss']);

const httpRules: UrlRules = { schemes: ['http', 'https'] };

export const httpUrl = (description: string) =>
  field('URL', (text) => urlProblem(text, httpRules), description);

/** A URL that paths are appended to. */
export const baseUrl = (description: string) =>
  field('URL', (text) => urlProblem(text, { ...httpRules, base: true }), description);
