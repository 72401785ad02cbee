import {
  operatorDeleteBrandUnits,
  operatorDeleteLink,
  operatorDeleteOrg,
  operatorPurgeOrg,
  operatorReprocessBrands,
  operatorRevokeKey,
  type operatorCountBrandUnits,
  type operatorGetKey,
  type operatorGetOrg,
  type operatorGetPartner,
  type ResponseData,
} from '@bv/contract';
import { exitStatus, Failure } from './failure.ts';
import type { ApiResponse } from './operator-client.ts';
import type { CommandInput } from './command-input.ts';
import type { Terminal } from './terminal.ts';

/** Reads a path of the operator API. */
export type Read = (path: string) => Promise<ApiResponse>;

/** Reads what an operation would delete or affect, as a question. Undefined if this input needs no confirmation. */
type Ask = (input: CommandInput) => ((read: Read) => Promise<string>) | undefined;

const questions: Partial<Record<string, Ask>> = {
  [operatorDeleteOrg.id]:
    ({ argument = '' }) =>
    (read) =>
      describeOrg(read, argument),
  [operatorPurgeOrg.id]:
    ({ argument = '' }) =>
    async () =>
      `Every service deletes all data of organisation ${argument}, and it cannot be undone. Delete it?`,
  [operatorRevokeKey.id]:
    ({ argument = '' }) =>
    (read) =>
      describeKey(read, argument),
  [operatorDeleteLink.id]:
    ({ options }) =>
    (read) =>
      describeLink(read, options),
  [operatorDeleteBrandUnits.id]:
    ({ options }) =>
    (read) =>
      describeUnits(read, options),
  [operatorReprocessBrands.id]: ({ options }) =>
    options['all'] === undefined
      ? undefined
      : async () => 'This reads the stored answers of all organisations again. Reprocess them?',
};

export const needsConfirmation = (operationId: string): boolean => questions[operationId] !== undefined;

/**
 * Says on a terminal what goes, and asks for a confirmation. Throws if the user declines, and without a terminal unless
 * `--yes` is set.
 */
export async function confirm(
  operationId: string,
  input: CommandInput,
  { terminal, read }: { terminal: Terminal; read: Read },
): Promise<void> {
  if (input.options['yes'] !== undefined) return;
  const ask = questions[operationId]?.(input);
  if (ask === undefined) return;
  if (terminal.prompt === undefined) throw notConfirmed('Without a terminal this command needs --yes');
  const reply = await terminal.prompt(`${await ask(read)} [y/N] `);
  if (!/^y(es)?$/i.test(reply.trim())) throw notConfirmed('Not confirmed: nothing was changed');
}

const notConfirmed = (message: string): Failure =>
  new Failure(exitStatus.usage, message, { hints: ['--yes confirms on the command line.'] });

const readData = async <Data>(read: Read, path: string): Promise<Data> => (await read(path)).data as Data;

const count = (number: number | string, noun: string): string =>
  `${number} ${noun}${number === 1 ? '' : 's'}`;

/** Counts a list by its first page. */
async function countList(
  read: Read,
  path: string,
  isCounted: (row: Row) => boolean,
): Promise<number | string> {
  const { data, pagination } = await read(`${path}?limit=200`);
  const counted = (data as Row[]).filter(isCounted).length;
  return pagination?.has_more === true ? `${counted} or more` : counted;
}
type Row = { revoked_at?: string | null };

async function describeOrg(read: Read, orgId: string): Promise<string> {
  const { name, usage } = await readData<ResponseData<typeof operatorGetOrg>>(read, `/orgs/${orgId}`);
  const keys = await countList(read, `/orgs/${orgId}/keys`, ({ revoked_at }) => revoked_at === null);
  const links = await countList(read, `/orgs/${orgId}/links`, () => true);
  const parts = [
    count(usage.own_brands.used, 'own brand'),
    count(usage.prompts.used, 'active prompt'),
    count(keys, 'key'),
    `and ${count(links, 'partner link')}`,
  ];
  return `Organisation "${name}" has ${parts.join(', ')}. All of it ends, and it cannot be undone. Delete it?`;
}

async function describeKey(read: Read, keyId: string): Promise<string> {
  const key = await readData<ResponseData<typeof operatorGetKey>>(read, `/keys/${keyId}`);
  const name = key.name === null ? '' : ` "${key.name}"`;
  const state = key.revoked_at === null ? '' : ' It is revoked already.';
  return `Key ${key.key_prefix}…${name} of ${key.owner_kind} "${key.owner_name}" is refused from then on.${state} Revoke it?`;
}

async function describeLink(read: Read, { partner, org }: CommandInput['options']): Promise<string> {
  const { name } = await readData<ResponseData<typeof operatorGetPartner>>(read, `/partners/${partner}`);
  const { name: orgName } = await readData<ResponseData<typeof operatorGetOrg>>(read, `/orgs/${org}`);
  return `Partner "${name}" no longer reaches organisation "${orgName}", and gets no more events of it. Delete the link?`;
}

async function describeUnits(read: Read, { brand, from, to }: CommandInput['options']): Promise<string> {
  const query = new URLSearchParams({ from: from ?? '', to: to ?? '' }).toString();
  const units = await readData<ResponseData<typeof operatorCountBrandUnits>>(
    read,
    `/brands/${brand}/units/count?${query}`,
  );
  const stay = units.scanned === 0 ? '' : ` ${count(units.scanned, 'unit')} of scans stay.`;
  return `${count(units.imported, 'imported unit')} of brand ${brand} from ${from} to ${to} are deleted.${stay} Delete them?`;
}
