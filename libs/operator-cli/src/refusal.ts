import type { Target } from './config.ts';
import { exitStatus, Failure } from './failure.ts';

export type Refusal = {
  error: { code: string; message: string; details?: unknown };
  request_id?: string;
};

type Context = { target: Target; call: { method: string; path: string } };
type Detail = { path: string; message: string };

/** The plane's refusal in words for people: the figures it gave, and what to do. */
export function refusalOf(body: Refusal, response: Response, context: Context): Failure {
  const { code, message, details } = body.error;
  const advice = isNotApplied(body)
    ? [...notApplied]
    : [...figuresOf(details), ...adviceOn(code, response, context)];
  if (body.request_id !== undefined) advice.push(`Request id: ${body.request_id}`);
  return new Failure(statusOf(body, response), `${message} (${code})`, { advice, answer: body });
}

const notApplied = [
  'The change is kept and is applied as soon as that service runs again: do not repeat it.',
  '`get` and `list` show it now; the metrics and the log of that service say why it lags.',
];

const isNotApplied = ({ error }: Refusal): boolean =>
  error.code === 'api_unavailable' && (error.details as { stored?: boolean } | undefined)?.stored === true;

function statusOf(body: Refusal, { status }: Response): number {
  if (isNotApplied(body)) return exitStatus.notApplied;
  return status === 503 ? exitStatus.unreachable : exitStatus.refused;
}

function adviceOn(code: string, response: Response, { target, call }: Context): string[] {
  const wait = `Try again in ${response.headers.get('retry-after') ?? '5'} s.`;
  switch (code) {
    case 'invalid_operator_token':
      return [
        `The token comes from ${target.tokenSource}; it has to be the gateway's OPERATOR_TOKEN.`,
        'Give the right one by --token or OPERATOR_TOKEN.',
      ];
    case 'invalid_api_key':
      return [`${target.url} is the public API. The operator API listens on the gateway's OPERATOR_PORT.`];
    case 'not_found':
      return /[0-9a-f-]{36}/i.test(call.path)
        ? [`No such id, or it was deleted. ${idSourceOf(call.path)}`]
        : [`${target.url} may not be the operator API: it listens on the gateway's OPERATOR_PORT.`];
    case 'key_limit_reached':
      return ['Revoke one first: `keys list --org …` shows them, `keys revoke <key>` ends one.'];
    case 'prompt_cap_exceeded':
    case 'country_cap_exceeded':
    case 'brand_cap_exceeded':
      return ['Raise the limit first: `orgs update <org> --tier …` or `--overrides …`.'];
    case 'brand_archived':
      return ['`brands restore <brand>` brings it back.'];
    case 'api_unavailable':
      return [
        wait,
        'A part behind the plane does not answer: `/readyz` and the logs of the services tell which.',
      ];
    case 'internal_error':
      return ['The log of the gateway says more under the request id.'];
    case 'validation_error':
      return ['--help shows what the command takes.'];
    default:
      return [];
  }
}

const idSources: readonly [prefix: string, advice: string][] = [
  ['/dead-events/', '`dead-events list` shows the ids of dead-letter events.'],
  ['/orgs/', '`orgs list` shows the ids of organisations.'],
  ['/keys/', '`keys list --org …` and `keys list --partner …` show the ids of keys.'],
  ['/brands/', 'The public API lists the brands of an organisation: GET /v1/orgs/{orgId}/brands.'],
  ['/webhook-endpoints/', 'The public API lists the endpoints of a partner: GET /v1/webhook-endpoints.'],
];

/** Where the ids of the kind in the path are listed. */
const idSourceOf = (path: string): string =>
  idSources.find(([prefix]) => path.startsWith(prefix))?.[1] ??
  '`partners create` returned the id of the partner.';

/** `details` as lines: the fields that were wrong, or the figures of a limit. */
function figuresOf(details: unknown): string[] {
  if (details === undefined || details === null) return [];
  if (Array.isArray(details)) {
    return (details as Detail[]).map(({ path, message }) => (path === '' ? message : `${path}: ${message}`));
  }
  const figures = Object.entries(details).map(
    ([name, value]) => `${name} ${Array.isArray(value) ? value.join(',') : String(value)}`,
  );
  return figures.length === 0 ? [] : [figures.join(', ')];
}
