import type { Target } from './config.ts';
import { exitStatus, Failure } from './failure.ts';

export type Refusal = {
  error: { code: string; message: string; details?: unknown };
  request_id?: string;
};

type Context = { target: Target; call: { method: string; path: string } };
type Detail = { path: string; message: string };

/** Converts a refusal of the operator API to a failure with its details and hints how to fix it. */
export function toRefusalFailure(body: Refusal, response: Response, context: Context): Failure {
  const { code, message, details } = body.error;
  const hints = isNotApplied(body)
    ? [...notApplied]
    : [...describeDetails(details), ...getHints(code, response, context)];
  if (body.request_id !== undefined) hints.push(`Request id: ${body.request_id}`);
  return new Failure(getExitStatus(body, response), `${message} (${code})`, { hints, response: body });
}

const notApplied = [
  'The change is stored. That service applies it as soon as it runs again: do not repeat it.',
  '`get` and `list` show the change. The metrics and the log of that service show why it lags.',
];

const isNotApplied = ({ error }: Refusal): boolean =>
  error.code === 'api_unavailable' && (error.details as { stored?: boolean } | undefined)?.stored === true;

function getExitStatus(body: Refusal, { status }: Response): number {
  if (isNotApplied(body)) return exitStatus.notApplied;
  return status === 503 ? exitStatus.unreachable : exitStatus.refused;
}

function getHints(code: string, response: Response, { target, call }: Context): string[] {
  const wait = `Try again in ${response.headers.get('retry-after') ?? '5'} s.`;
  switch (code) {
    case 'invalid_operator_token':
      return [
        `The token comes from ${target.tokenSource}. It must equal the gateway's OPERATOR_TOKEN.`,
        'Pass it by --token or OPERATOR_TOKEN.',
      ];
    case 'invalid_api_key':
      return [`${target.url} is the public API. The operator API listens on the gateway's OPERATOR_PORT.`];
    case 'not_found':
      return /[0-9a-f-]{36}/i.test(call.path)
        ? [`The id does not exist or was deleted. ${getIdSource(call.path)}`]
        : [`${target.url} may not be the operator API, which listens on the gateway's OPERATOR_PORT.`];
    case 'key_limit_reached':
      return ['Revoke a key first: `keys list --org …` lists them, `keys revoke <key>` revokes one.'];
    case 'prompt_cap_exceeded':
    case 'country_cap_exceeded':
    case 'brand_cap_exceeded':
      return ['Raise the limit first: `orgs update <org> --tier …` or `--overrides …`.'];
    case 'brand_archived':
      return ['Restore the brand first: `brands restore <brand>`.'];
    case 'api_unavailable':
      return [
        wait,
        'A service or store behind the operator API is unavailable: check `/readyz` and the logs of the services.',
      ];
    case 'internal_error':
      return ['Search the log of the gateway for the request id.'];
    case 'validation_error':
      return ['--help lists the options of the command.'];
    default:
      return [];
  }
}

const idSources: readonly [prefix: string, hint: string][] = [
  ['/dead-events/', '`dead-events list` shows the ids of dead-letter events.'],
  ['/orgs/', '`orgs list` shows the ids of organisations.'],
  ['/keys/', '`keys list --org …` and `keys list --partner …` show the ids of keys.'],
  ['/brands/', 'The public API lists the brands of an organisation: GET /v1/orgs/{orgId}/brands.'],
  ['/webhook-endpoints/', 'The public API lists the endpoints of a partner: GET /v1/webhook-endpoints.'],
];

/** Says where the ids of this path are listed. */
const getIdSource = (path: string): string =>
  idSources.find(([prefix]) => path.startsWith(prefix))?.[1] ??
  '`partners create` returned the id of the partner.';

/** `details` as lines: the invalid fields, or the figures of a limit. */
function describeDetails(details: unknown): string[] {
  if (details === undefined || details === null) return [];
  if (Array.isArray(details)) {
    return (details as Detail[]).map(({ path, message }) => (path === '' ? message : `${path}: ${message}`));
  }
  const figures = Object.entries(details).map(
    ([name, value]) => `${name} ${Array.isArray(value) ? value.join(',') : String(value)}`,
  );
  return figures.length === 0 ? [] : [figures.join(', ')];
}
