/** Writes the tools of the MCP server with their arguments into the guide. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

type ListedTool = {
  name: string;
  inputSchema: { properties?: Record<string, { default?: unknown }>; required?: readonly string[] };
};

const page = 'docs/guides/mcp.md';
const begin = '<!-- arguments: generated from the tools by pnpm generate -->';
const end = '<!-- end of arguments -->';

/** `breakdown(org_id, by="prompt", from?)`: an argument is required, has a default, or may be omitted. */
function signature({ name, inputSchema: { properties = {}, required = [] } }: ListedTool): string {
  const words = Object.entries(properties).map(([argument, { default: usual }]) => {
    if (usual !== undefined) return `${argument}=${JSON.stringify(usual)}`;
    return required.includes(argument) ? argument : `${argument}?`;
  });
  return `${name}(${words.join(', ')})`;
}

/** The guide with the arguments of each tool, as path and content. */
export async function mcpPage(root: string): Promise<[path: string, content: string]> {
  const source = pathToFileURL(join(root, 'services/gateway/src/mcp/tools.ts')).href;
  const { listedTools } = (await import(source)) as { listedTools: readonly ListedTool[] };
  const text = readFileSync(join(root, page), 'utf8');
  const [before, rest] = text.split(begin);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined)
    throw new Error(`${page} lacks the marks of the arguments`);
  const block = ['```text', ...listedTools.map(signature), '```'].join('\n');
  return [page, `${before}${begin}\n\n${block}\n\n${end}${after}`];
}
