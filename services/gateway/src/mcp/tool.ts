import type { z } from 'zod';
import { compactSchema } from './compact-schema.ts';
import type { JsonSchema } from './compact-schema.ts';
import type { OperationCalls } from './operation-call.ts';

/** A tool as clients list it. */
export type ListedTool = {
  name: string;
  title: string;
  description: string;
  inputSchema: JsonSchema;
  outputSchema: JsonSchema;
  /** The hints on writes have no meaning for a tool that only reads. */
  annotations: {
    readOnlyHint: boolean;
    destructiveHint?: boolean;
    idempotentHint?: boolean;
    openWorldHint: boolean;
  };
};

export type Tool = {
  listed: ListedTool;
  /** Throws a `ZodError` for wrong arguments, and what the operations throw. */
  run: (calls: OperationCalls, args: unknown) => Promise<Record<string, unknown>>;
};

type Definition<I extends z.ZodObject, O extends z.ZodObject> = {
  name: string;
  title: string;
  description: string;
  input: I;
  output: O;
  /** Whether it returns text of the open web, or asks AI platforms. */
  isOpenWorld?: true;
  /** What a tool that writes does to what exists. Undefined for a tool that only reads. */
  writes?: { destructive: boolean; idempotent: boolean };
  run: (calls: OperationCalls, input: z.output<I>) => Promise<z.input<O>>;
};

export function defineTool<I extends z.ZodObject, O extends z.ZodObject>(definition: Definition<I, O>): Tool {
  const { name, title, description, input, output, isOpenWorld = false, writes, run } = definition;
  return {
    listed: {
      name,
      title,
      description,
      inputSchema: compactSchema(input, 'input'),
      outputSchema: compactSchema(output, 'output'),
      annotations: {
        readOnlyHint: writes === undefined,
        ...(writes && { destructiveHint: writes.destructive, idempotentHint: writes.idempotent }),
        openWorldHint: isOpenWorld,
      },
    },
    run: (calls, args) => run(calls, input.parse(args)),
  };
}
