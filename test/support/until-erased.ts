import type { ErasureReceipt } from '@laurel/activity/internals';
import { waitUntil } from './wait-until';

/** The answer to who asked for an erasure, with its receipt as it is once the erasure is done or has failed. */
export async function untilErased<Answer extends { readonly body: ErasureReceipt }>(
  answer: Answer,
  find: (path: string) => Promise<{ readonly body: ErasureReceipt }>,
): Promise<Answer> {
  let { body } = answer;
  const isOpen = () => (body.state === 'waiting' || body.state === 'running') && body.fault === null;
  await waitUntil(async () => {
    if (isOpen()) ({ body } = await find(`/activity/erasure-receipts/${body.id}`));
    return !isOpen();
  });
  return { ...answer, body };
}
