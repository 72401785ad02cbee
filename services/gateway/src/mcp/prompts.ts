import { ProtocolError } from '@modelcontextprotocol/server';
import { jsonRpcCodes } from './json-rpc.ts';

type Prompt = { name: string; title: string; description: string; write: (brand: string) => string };

const prompts: readonly Prompt[] = [
  {
    name: 'weekly_report',
    title: 'Weekly report',
    description: 'One page on the last complete week of a brand.',
    write: (brand) => `Write the weekly report of ${brand} for its marketing team, on one page.
1. Find its ids: list_organisations, list_brands.
2. brand_overview: the verdict first, with the interval and the number of answers.
3. breakdown by platform, then by prompt, both from the first to the last day of window b: where a rival leads.
4. pages: what answers cite when they name a rival and not the brand.
5. prompt_answers for the prompt with the largest lead: what is said of the rival there.
End with three actions and the known limits. A change with the verdict no_evidence is no change.`,
  },
  {
    name: 'why_did_it_change',
    title: 'Why did it change?',
    description: 'Looks for what moved the score of a brand.',
    write: (brand) => `Find out what moved the score of ${brand}.
1. Find its ids: list_organisations, list_brands.
2. compare_scores. If the verdict is no_evidence or not_comparable, say so with its reasons, and stop.
3. compare_scores for each platform: does one platform move, or all? Its reasons name changes of models and of competitors.
4. breakdown by prompt for window a, then for window b: which prompts moved most? One prompt has few answers.
5. prompt_answers of these prompts: what did the answers say and cite before and after?
Say what the figures show and what they cannot show. Do not name a cause that no figure supports.`,
  },
];

const promptArguments = [
  { name: 'brand', description: 'Name of the brand. Default: the first one of the key.', required: false },
];

export const listedPrompts = prompts.map(({ name, title, description }) => ({
  name,
  title,
  description,
  arguments: promptArguments,
}));

export function getPrompt({
  name,
  arguments: sent,
}: {
  name: string;
  arguments?: Record<string, string> | undefined;
}) {
  const prompt = prompts.find((each) => each.name === name);
  if (prompt === undefined) throw new ProtocolError(jsonRpcCodes.invalidParams, 'Unknown prompt');
  const brand = sent?.['brand'] ?? 'the first own brand';
  const { description, write } = prompt;
  return {
    description,
    messages: [{ role: 'user' as const, content: { type: 'text' as const, text: write(brand) } }],
  };
}
