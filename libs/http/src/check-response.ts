import { ApiError, errorCodes } from '@bv/contract';
import type { Operation } from '@bv/contract';
import { z } from 'zod';
import type { Result } from './route.ts';

/** Throws if the result or refusal of a handler violates its contract. Used in tests and the local stack. */
export async function checkResponse(
  operation: Operation,
  pending: Promise<Result<Operation>>,
): Promise<Result<Operation>> {
  try {
    const result = await pending;
    checkResult(operation, result);
    return result;
  } catch (error) {
    if (error instanceof ApiError) checkRefusal(operation, error);
    throw error;
  }
}

function checkResult({ id, success }: Operation, result: Result<Operation>): void {
  const isList = 'pagination' in result;
  if (isList !== (success.kind === 'list')) throw new Error(`${id} must return ${success.kind} data`);
  assertMatches(
    success.kind === 'list' ? z.array(success.data) : success.data,
    result.data,
    `${id} returned data`,
  );
}

function checkRefusal({ id, errors }: Operation, refusal: ApiError): void {
  const { code, details } = refusal;
  if (!errors.includes(code)) {
    throw new Error(`${id} refused with ${code}, which its contract does not name`, { cause: refusal });
  }
  if (details !== undefined)
    assertMatches(errorCodes[code].details ?? z.undefined(), details, `${id} returned ${code} details`);
}

function assertMatches(schema: z.ZodType, value: unknown, what: string): void {
  const parsed = schema.safeParse(value);
  if (!parsed.success)
    throw new Error(`${what} that its contract does not allow: ${z.prettifyError(parsed.error)}`);
}
