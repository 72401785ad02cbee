/** docs/data-model.md: the tables of each service with their keys, from the schemas that the migrations leave. */
import { type TableMeanings, sharedTables, tableMeanings } from './table-meanings.ts';

type Column = { name: string; type: string; required: boolean };
type Link = { column: string; target: string; enforced: boolean };
type Table = { name: string; columns: Column[]; primaryKey: string[]; links: Link[] };

/** Ids of rows of the same schema whose column is not named after its table. */
const unenforcedTargets: Readonly<Record<string, string>> = {
  'results.units.job_id': 'scans',
  'results.share_of_voice.own_brand_id': 'brands',
};

const shortTypes: Readonly<Record<string, string>> = {
  'timestamp with time zone': 'timestamptz',
  'timestamp without time zone': 'timestamp',
  'double precision': 'float8',
  'character varying': 'varchar',
};

const unquote = (name: string): string => name.trim().replaceAll('"', '');

function parseColumn(line: string): Column | undefined {
  const [, name = '', written = ''] = /^ {4}("?\w+"?) (.+?),?$/.exec(line) ?? [];
  if (name === '' || name === 'CONSTRAINT') return undefined;
  const type = written.replace(/ (DEFAULT|NOT NULL|GENERATED).*$/, '');
  return { name: unquote(name), type: shortTypes[type] ?? type, required: written.includes(' NOT NULL') };
}

/** The tables of a dump of pg_dump, without partitions and without those that every service has. */
function parseTables(service: string, dump: string): Table[] {
  const primaryKeys = new Map<string, string[]>();
  const enforced = new Map<string, Link[]>();
  const constraint =
    /ALTER TABLE ONLY \w+\.(\w+)\n {4}ADD CONSTRAINT \w+ (PRIMARY|FOREIGN) KEY \(([^)]+)\)(?: REFERENCES \w+\.(\w+))?/g;
  for (const [, table = '', kind, columns = '', target = ''] of dump.matchAll(constraint)) {
    const names = columns.split(',').map(unquote);
    if (kind === 'PRIMARY') primaryKeys.set(table, names);
    else {
      const links = names.map((column) => ({ column, target, enforced: true }));
      enforced.set(table, [...(enforced.get(table) ?? []), ...links]);
    }
  }
  const partitions = new Set([...dump.matchAll(/ATTACH PARTITION \w+\.(\w+)/g)].map(([, name]) => name));
  const found = [...dump.matchAll(/CREATE TABLE \w+\.(\w+) \(\n([\s\S]*?)\n\)/g)].filter(
    ([, name = '']) => !(name in sharedTables) && !partitions.has(name),
  );
  const names = new Set(found.map(([, name = '']) => name));
  return found.map(([, name = '', body = '']) => {
    const columns = body.split('\n').flatMap((line) => parseColumn(line) ?? []);
    const links = enforced.get(name) ?? [];
    const known = new Set(links.map(({ column }) => column));
    const others = columns.flatMap(({ name: column }): Link[] => {
      const target = unenforcedTargets[`${service}.${name}.${column}`] ?? `${column.replace(/_id$/, '')}s`;
      const isLink = column.endsWith('_id') && names.has(target) && !known.has(column);
      return isLink ? [{ column, target, enforced: false }] : [];
    });
    return { name, columns, primaryKey: primaryKeys.get(name) ?? [], links: [...links, ...others] };
  });
}

/** Keys of the table, and other ids. */
function drawTable({ name, columns, primaryKey, links }: Table): string {
  const foreign = new Set(links.map(({ column }) => column));
  const lines = columns.flatMap((column) => {
    const keys = [primaryKey.includes(column.name) ? 'PK' : '', foreign.has(column.name) ? 'FK' : ''];
    const marks = keys.filter((key) => key !== '').join(', ');
    if (marks === '' && !/_ids?$/.test(column.name)) return [];
    return [`    ${`${column.type} ${column.name} ${marks}`.trimEnd()}`];
  });
  return `  ${name} {\n${lines.join('\n')}\n  }`;
}

function drawLinks({ name, columns, links }: Table): string[] {
  return links.map(({ column, target, enforced }) => {
    const isRequired = columns.find((each) => each.name === column)?.required === true;
    return `  ${target} ${isRequired ? '||' : '|o'}${enforced ? '--' : '..'}o{ ${name} : ${column}`;
  });
}

function describeTables(service: string, tables: Table[], meanings: TableMeanings): string {
  const unknown = Object.keys(meanings).filter((name) => !tables.some((table) => table.name === name));
  if (unknown.length > 0) throw new Error(`${service} has no table ${unknown.join(', ')}`);
  const rows = tables.map(({ name }) => {
    const meaning = meanings[name];
    if (meaning === undefined) throw new Error(`describe ${service}.${name} in table-meanings.ts`);
    return `| \`${name}\` | ${meaning} |`;
  });
  return ['| Table | Holds |', '| --- | --- |', ...rows].join('\n');
}

function describeService(service: string, dump: string): string {
  const tables = parseTables(service, dump);
  const diagram = [...tables.map(drawTable), ...tables.flatMap(drawLinks)].join('\n');
  return [
    `## ${service}`,
    describeTables(service, tables, tableMeanings[service] ?? {}),
    `\`\`\`mermaid\nerDiagram\n${diagram}\n\`\`\``,
    `Columns: [schema.sql](../services/${service}/schema.sql). Indexes and reads: [db](../services/${service}/src/db/README.md).`,
  ].join('\n\n');
}

export function dataModelPage(
  dumps: readonly [service: string, dump: string][],
): [path: string, page: string] {
  const shared = Object.entries(sharedTables).map(([name, meaning]) => `| \`${name}\` | ${meaning} |`);
  const sections = [
    '<!-- Generated by `pnpm generate` from the migrations and tools/codegen/src/table-meanings.ts. -->',
    '# Data model',
    'Each service has its own schema in Postgres. No foreign key, view or join crosses a schema: other services know a row by its id, or by a projection that [events](architecture.md#an-event) keep current.',
    'The diagrams show primary keys (PK), ids of other rows (FK) and further ids. A solid line is a foreign key that Postgres enforces. A dotted line is an id that it does not enforce, because the row may arrive later or be deleted earlier.',
    '## Tables of every service',
    ['| Table | Holds |', '| --- | --- |', ...shared].join('\n'),
    ...dumps.map(([service, dump]) => describeService(service, dump)),
  ];
  return ['docs/data-model.md', `${sections.join('\n\n')}\n`];
}
