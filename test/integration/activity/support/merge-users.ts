import type { MergeReceipt } from '@laurel/activity/internals';
import { waitUntil } from '../../../support/wait-until';
import { type TinyApp, withKey } from './tiny-app';

/** Merges two accounts over HTTP; gives the receipt once it is done. */
export async function mergeUsers(
  app: TinyApp,
  asked: { readonly from: string; readonly into: string; readonly by?: string; readonly note?: string },
): Promise<MergeReceipt> {
  const { status, body } = await app.post<MergeReceipt>('/activity/merges', asked, withKey);
  expect(status).toBe(202);
  return waitUntil(async () => {
    const receipt = await app.get<MergeReceipt>(`/activity/merge-receipts/${body.id}`, withKey);
    return receipt.body.state === 'done' ? receipt.body : null;
  });
}
