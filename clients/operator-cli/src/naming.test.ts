import { describe, expect, it } from '@jest/globals';
import { operatorOperations } from '@bv/contract';
import { commandSpecs } from './commands.ts';
import { nameCommand } from './naming.ts';

describe('names of commands', () => {
  it('cover every operation of the operator API, each once', () => {
    const specs = commandSpecs();
    expect(specs.flatMap(({ variants }) => variants).length).toBe(operatorOperations.length);
    expect(specs.map(({ group, verb }) => `${group} ${verb}`).toSorted()).toEqual([
      'answers list',
      'brands archive',
      'brands get',
      'brands list',
      'brands reprocess',
      'brands restore',
      'credits add',
      'dead-events dismiss',
      'dead-events get',
      'dead-events list',
      'dead-events redrive',
      'deliveries get',
      'deliveries list',
      'endpoints disable',
      'endpoints enable',
      'endpoints get',
      'endpoints list',
      'events republish',
      'keys create',
      'keys get',
      'keys list',
      'keys revoke',
      'links delete',
      'links list',
      'links put',
      'orgs create',
      'orgs delete',
      'orgs get',
      'orgs list',
      'orgs purge',
      'orgs update',
      'partners create',
      'partners get',
      'partners list',
      'partners update',
      'prompts get',
      'prompts list',
      'purges get',
      'results import',
      'scans run',
      'status get',
      'tiers list',
      'units count',
      'units delete',
      'usage list',
      'webhook-events get',
      'webhook-events list',
    ]);
  });

  it('take the id of the resource as an argument and other ids as options', () => {
    expect(nameCommand({ id: 'operatorPutLink', path: '/partners/{partnerId}/links/{orgId}' })).toMatchObject(
      {
        argument: null,
        options: [
          { param: 'partnerId', option: 'partner' },
          { param: 'orgId', option: 'org' },
        ],
      },
    );
    expect(nameCommand({ id: 'operatorGetOrg', path: '/orgs/{orgId}' })).toMatchObject({
      argument: 'orgId',
      options: [],
    });
  });

  it('follow the same rule for a new operation', () => {
    const added = nameCommand({
      id: 'operatorPauseOrgSchedule',
      path: '/orgs/{orgId}/schedules/{scheduleId}',
    });
    expect(added).toEqual({
      group: 'schedules',
      verb: 'pause',
      argument: 'scheduleId',
      options: [{ param: 'orgId', option: 'org' }],
    });
  });
});
