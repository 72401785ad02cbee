import pg from 'pg';

/**
 * Makes a database read-only for new sessions and ends the open ones, like a primary that becomes a standby.
 * Returns a function that undoes it. Sessions opened in between stay read-only.
 */
export async function makeReadOnly(adminUrl: string): Promise<() => Promise<void>> {
  const setting = 'default_transaction_read_only';
  await administer(adminUrl, async (admin, database) => {
    await admin.query(`ALTER DATABASE ${database} SET ${setting} = on`);
    await admin.query(
      `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
       WHERE datname = current_database() AND pid <> pg_backend_pid()`,
    );
  });
  return () =>
    administer(adminUrl, async (admin, database) => {
      await admin.query(`SET ${setting} = off`);
      await admin.query(`ALTER DATABASE ${database} RESET ${setting}`);
    });
}

async function administer(
  adminUrl: string,
  use: (admin: pg.Client, database: string) => Promise<void>,
): Promise<void> {
  const admin = new pg.Client({ connectionString: adminUrl });
  await admin.connect();
  try {
    await use(admin, pg.escapeIdentifier(decodeURIComponent(new URL(adminUrl).pathname.slice(1))));
  } finally {
    await admin.end();
  }
}
