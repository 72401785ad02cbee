import type { Target } from './config.ts';
import { exitStatus, Failure } from './failure.ts';

export type Refusal = {
  error: { code: string; message: string; details?: unknown };
  request_id?: string;
};

type Call = { path: string; body?: unknown };
type Context = { target: Target; call: Call };
type Detail = { path: string; message: string };

/** Converts a refusal of the operator API to a failure with its details and hints how to fix it. */
export function toRefusalFailure(body: Refusal, response: Response, context: Context): Failure {
  const { code, message, details } = body.error;
  const hints = isNotApplied(body)
    ? [...notApplied]
    : [...describeDetails(details), ...getHints(body.error, response, context)];
  if (body.request_id !== undefined) hints.push(`Request id: ${body.request_id}`);
  return new Failure(getExitStatus(body, response, context.call), `${message} (${code})`, {
    hints,
    response: body,
  });
}

const notApplied = [
  'The change is stored. That service applies it as soon as it runs again: do not repeat it.',
  '`get` and `list` show the change. The metrics and the log of that service show why it lags.',
];

const isNotApplied = ({ error }: Refusal): boolean =>
  error.code === 'api_unavailable' && (error.details as { stored?: boolean } | undefined)?.stored === true;

function getExitStatus(body: Refusal, { status }: Response, call: Call): number {
  if (isNotApplied(body)) return exitStatus.notApplied;
  const { code } = body.error;
  if (code === 'invalid_operator_token') return exitStatus.wrongToken;
  if (code === 'invalid_api_key' || (code === 'not_found' && !hasId(call))) return exitStatus.otherServer;
  return status === 503 ? exitStatus.unreachable : exitStatus.refused;
}

/** Without an id in the request, `not_found` means that the server does not have the operation. */
function hasId({ path, body = {} }: Call): boolean {
  const [pathname = ''] = path.split('?', 1);
  return /[0-9a-f]{8}-[0-9a-f-]{27}/i.test(pathname + JSON.stringify(body));
}

function getHints(
  { code, details }: Refusal['error'],
  response: Response,
  { target, call }: Context,
): string[] {
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
      return hasId(call)
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
      return [
        `--help lists the options of the command${concernsTier(details) ? ', `tiers list` the tiers' : ''}.`,
      ];
    default:
      return [];
  }
}

const concernsTier = (details: unknown): boolean =>
  Array.isArray(details) && (details as Detail[]).some(({ path }) => path === 'tier');

const idSources: readonly [prefix: string, hint: string][] = [
  ['/dead-events/', '`dead-events list` shows the ids of dead-letter events.'],
  ['/orgs/', '`orgs list` shows the ids of organisations.'],
  ['/keys/', '`keys list --org …` and `keys list --partner …` show the ids of keys.'],
  ['/partners/', '`partners list` shows the ids of partners, `orgs list` those of organisations.'],
  ['/brands/', '`brands list --org …` shows the ids of brands.'],
  ['/prompts/', '`prompts list --org …` and `prompts list --brand …` show the ids of prompts.'],
  ['/webhook-endpoints/', '`endpoints list` shows the ids of webhook endpoints.'],
  ['/deliveries/', '`deliveries list --endpoint …` shows the ids of deliveries.'],
  ['/webhook-events/', '`webhook-events list` shows the ids of events.'],
];

/** Says where the ids of this path are listed. */
const getIdSource = (path: string): string =>
  idSources.find(([prefix]) => path.startsWith(prefix))?.[1] ?? '';

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
