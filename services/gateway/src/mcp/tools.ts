import type { ListedTool, Tool } from './tool.ts';
import { brandOverview } from './tools/brand-overview.ts';
import { listBrandsTool, listOrganisationsTool } from './tools/brands.ts';
import { mentionsTool, promptAnswersTool, sourcesTool } from './tools/answers.ts';
import { breakdownTool, pagesTool } from './tools/slices.ts';
import { suggestCompetitorsTool } from './tools/open-world.ts';
import { brandChangesTool } from './tools/changes.ts';
import { createExperimentTool, experimentsTool, proposeExperimentTool } from './tools/experiments.ts';
import { listPromptsTool, requestScanTool, updatePromptsTool } from './tools/prompts.ts';
import { compareScoresTool, methodologyTool, scoreHistoryTool, shareOfVoiceTool } from './tools/scores.ts';

const tools: readonly Tool[] = [
  listOrganisationsTool,
  listBrandsTool,
  brandOverview,
  scoreHistoryTool,
  compareScoresTool,
  brandChangesTool,
  experimentsTool,
  proposeExperimentTool,
  shareOfVoiceTool,
  breakdownTool,
  pagesTool,
  suggestCompetitorsTool,
  sourcesTool,
  mentionsTool,
  listPromptsTool,
  promptAnswersTool,
  methodologyTool,
  requestScanTool,
  updatePromptsTool,
  createExperimentTool,
];

const byName = new Map(tools.map((tool) => [tool.listed.name, tool]));

/** In the order in which a model needs them. */
export const listedTools: readonly ListedTool[] = tools.map(({ listed }) => listed);

export const findTool = (name: string): Tool | undefined => byName.get(name);
