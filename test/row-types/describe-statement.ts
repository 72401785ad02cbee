import type pg from 'pg';

/** A column that a statement returns. `nullable` is undefined for an expression, whose nulls the server does not know. */
export type Field = { name: string; typeId: number; nullable: boolean | undefined };

/** The part of pg's connection that sends messages of the extended query protocol. */
type Connection = {
  parse(query: { text: string; types: number[] }): void;
  describe(target: { type: 'S' }): void;
  sync(): void;
};
type Description = { fields: { name: string; dataTypeID: number; tableID: number; columnID: number }[] };

/** Lets the server parse and plan the types of a statement without running it. Throws the error of the server. */
export async function describeStatement(client: pg.Client, text: string): Promise<Field[]> {
  const { fields } = await new Promise<Description>((resolve, reject) => {
    const described: Description = { fields: [] };
    const query = {
      submit: (connection: Connection) => {
        connection.parse({ text, types: [] });
        connection.describe({ type: 'S' });
        connection.sync();
      },
      handleRowDescription: (message: Description) => (described.fields = message.fields),
      handleError: reject,
      handleReadyForQuery: () => resolve(described),
    };
    client.query(query as unknown as pg.Submittable);
  });
  const notNull = await listNotNull(client, fields);
  return fields.map(({ name, dataTypeID: typeId, tableID, columnID }) => ({
    name,
    typeId,
    nullable: tableID === 0 ? undefined : !notNull.has(`${tableID} ${columnID}`),
  }));
}

async function listNotNull(client: pg.Client, fields: Description['fields']): Promise<Set<string>> {
  const { rows } = await client.query<{ column: string }>(
    `select attrelid::int8 || ' ' || attnum as column from pg_attribute
      where attrelid = any ($1::oid[]) and attnotnull`,
    [fields.map(({ tableID }) => tableID)],
  );
  return new Set(rows.map(({ column }) => column));
}
