import type { ErasureReceipt } from '@laurel/activity/internals';
import { waitUntil } from './wait-until';

/**
 * The answer to who asked for an erasure, with its receipt once the erasure is done. What fails is tried again by
 * itself, every five seconds.
 */
export async function untilErased<Answer extends { readonly body: ErasureReceipt }>(
  answer: Answer,
  find: (path: string) => Promise<{ readonly body: ErasureReceipt }>,
): Promise<Answer> {
  let { body } = answer;
  if (typeof body.id !== 'string') throw new Error(`No erasure was begun: ${JSON.stringify(body)}`);
  const { id } = body;
  const isDone = async () => {
    if (body.state !== 'done') ({ body } = await find(`/activity/erasure-receipts/${id}`));
    return body.state === 'done';
  };
  await waitUntil(isDone, { withinMs: 120_000, what: 'the erasure' }).catch((cause: unknown) => {
    throw new Error(`The erasure is ${body.state}, and its last fault is ${body.fault}.`, { cause });
  });
  return { ...answer, body };
}
