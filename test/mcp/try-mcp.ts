/**
 * Uses the MCP server of the demo with two public clients: each tool with the Inspector of the protocol, and the session
 * of docs/guides/mcp.md with FastMCP.
 *   pnpm try:mcp
 *   pnpm try:mcp --record   writes the output of the session into the guide
 */
import { readFileSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { privateStackOptions, runDemo, startStack, steadyEnvironment } from '@bv/local-stack';
import { tryInspector } from './inspector.ts';
import { trySession } from './session.ts';

// pnpm passes the `--` of `pnpm try:mcp -- --record`.
const args = process.argv.slice(2).filter((word) => word !== '--');
const { values: options } = parseArgs({ args, options: { record: { type: 'boolean', default: false } } });
type StackFile = { demo: { org_id: string; brand_id: string; api_key: string } };

const dir = await mkdtemp(join(tmpdir(), 'bv-mcp-'));
// The user of PostgreSQL needs access to the data directory below it.
await chmod(dir, 0o755);
const stack = await startStack(privateStackOptions(join(dir, 'data'), steadyEnvironment), console.log);
try {
  const demo = await runDemo(stack, { report: console.log, signal: new AbortController().signal });
  const { demo: ids } = JSON.parse(readFileSync(stack.dataDir.stackFile, 'utf8')) as StackFile;
  const access = { url: new URL('/mcp', stack.baseUrl).href, key: ids.api_key };
  await tryInspector(access, { orgId: ids.org_id, brandId: ids.brand_id });
  await trySession(access, options.record);
  await demo.close();
  console.log('MCP works with the Inspector and FastMCP');
} finally {
  await stack.stop();
  await rm(dir, { recursive: true, force: true });
}
process.exit();
