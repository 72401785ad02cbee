import { ApiError, errorCodes } from '@bv/contract';
import type { Operation } from '@bv/contract';
import { z } from 'zod';
import type { Result } from './route.ts';

/** Tests and the local stack: a handler that answers or refuses as its contract does not say is a bug. */
export async function checked(
  operation: Operation,
  answer: Promise<Result<Operation>>,
): Promise<Result<Operation>> {
  try {
    const result = await answer;
    checkResult(operation, result);
    return result;
  } catch (error) {
    if (error instanceof ApiError) checkRefusal(operation, error);
    throw error;
  }
}

function checkResult({ id, success }: Operation, result: Result<Operation>): void {
  const isList = 'pagination' in result;
  if (isList !== (success.kind === 'list')) throw new Error(`${id} must answer with ${success.kind} data`);
  mustFit(success.kind === 'list' ? z.array(success.data) : success.data, result.data, `${id} answered data`);
}

function checkRefusal({ id, errors }: Operation, refusal: ApiError): void {
  const { code, details } = refusal;
  if (!errors.includes(code)) {
    throw new Error(`${id} refused with ${code}, which its contract does not name`, { cause: refusal });
  }
  if (details !== undefined)
    mustFit(errorCodes[code].details ?? z.undefined(), details, `${id} gave ${code} details`);
}

function mustFit(schema: z.ZodType, value: unknown, what: string): void {
  const parsed = schema.safeParse(value);
  if (!parsed.success)
    throw new Error(`${what} that its contract does not allow: ${z.prettifyError(parsed.error)}`);
}
