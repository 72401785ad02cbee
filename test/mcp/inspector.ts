import { join } from 'node:path';
import { installNpm } from '../runtimes/install-npm.ts';
import { runProgram } from './run-program.ts';

const command = join(import.meta.dirname, '../../clients/sdk/cli/main.ts');

type Access = { url: string; key: string };
type Ids = { orgId: string; brandId: string };
type Tool = {
  name: string;
  annotations: { readOnlyHint: boolean };
  inputSchema: { required?: string[] };
};
type Listed = { result: { tools: Tool[] } };

function findInspector(): string {
  const bin = installNpm(['@modelcontextprotocol/inspector@2.12.0']);
  return join(bin, '../@modelcontextprotocol/inspector/clients/launcher/build/index.js');
}

/** How the Inspector reaches the server: by both eras of the protocol over HTTP, and by the command line. */
function listConnections({ url, key }: Access): Map<string, string[]> {
  const http = ['--server-url', url, '--transport', 'http', '--header', `Authorization: Bearer ${key}`];
  const settings = [`BV_BASE_URL=${new URL('/v1', url).href}`, `BV_API_KEY=${key}`];
  const program = [process.execPath, '--conditions=@bv/source', command, 'mcp'];
  return new Map([
    ['HTTP, 2025', [...http, '--protocol-era', 'legacy']],
    ['HTTP, 2026-07-28', [...http, '--protocol-era', 'modern']],
    ['the command line', [...program, '--transport', 'stdio', ...settings.flatMap((pair) => ['-e', pair])]],
  ]);
}

/** Runs one method. Returns what it prints, or throws if it fails. */
async function inspect(inspector: string, connection: string[], words: string[]): Promise<string> {
  const all = [inspector, '--cli', ...connection, '--stored-auth-only', '--format', 'json', '-q', ...words];
  const { status, output } = await runProgram(process.execPath, all, {});
  if (status !== 0) throw new Error(`${words.join(' ')} ended with ${status}:\n${output}`);
  return output;
}

async function callTools(inspect: (words: string[]) => Promise<string>, { orgId, brandId }: Ids) {
  const { result: listed } = JSON.parse(await inspect(['--method', 'tools/list'])) as Listed;
  const call = (name: string, args: object): Promise<string> =>
    inspect(['--method', 'tools/call', '--tool-name', name, '--tool-args-json', JSON.stringify(args)]);
  const prompts = await call('list_prompts', { org_id: orgId, brand_id: brandId });
  const [promptId] = /(?<=\\?"id\\?":\s*\\?")[0-9a-f-]{36}/.exec(prompts) ?? [];
  const values: Record<string, unknown> = {
    org_id: orgId,
    brand_id: brandId,
    prompt_id: promptId,
    tag: 'crm',
  };
  const readers = listed.tools.filter(({ annotations }) => annotations.readOnlyHint);
  for (const { name, inputSchema } of readers) {
    await call(name, Object.fromEntries((inputSchema.required ?? []).map((field) => [field, values[field]])));
  }
  return { listed: listed.tools.length, called: readers.length };
}

/** Checks the schemas of the tools strictly by each connection, and calls every tool that only reads. */
export async function tryInspector(access: Access, ids: Ids): Promise<void> {
  const inspector = findInspector();
  const connections = listConnections(access);
  for (const [name, connection] of connections) {
    await inspect(inspector, connection, ['--method', 'tools/list', '--strict']);
    const { listed, called } = await callTools((words) => inspect(inspector, connection, words), ids);
    console.log(`the Inspector by ${name}: ${listed} tools are portable, ${called} read`);
  }
  const [wrong] = listConnections({ ...access, key: `bvk_live_${'0'.repeat(43)}` }).values();
  const refused = await inspect(inspector, wrong ?? [], ['--method', 'tools/list']).then(
    () => false,
    () => true,
  );
  if (!refused) throw new Error('the Inspector lists tools with a wrong key');
}
