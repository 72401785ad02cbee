import type { Target } from './config.ts';
import type { Terminal } from './terminal.ts';

/** The argument and the options of a command, by option name. */
export type CommandInput = { argument: string | undefined; options: Record<string, string | undefined> };
export type Run = { target: Target; terminal: Terminal; json: boolean; limit: number };
