import type { MergeReceipt } from '@laurel/activity/internals';
import type { ManualClock } from '../../../support/clock';
import { waitUntil } from '../../../support/wait-until';
import { TinyApp, withKey } from './tiny-app';

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

/** An app with rules of every kind. */
export const startMerging = (url: string, clock: ManualClock): Promise<TinyApp> =>
  TinyApp.start({
    options: {
      ...{ redis: { url }, clock, shards: 3, firstDays: true, retentionMs: { ledger: null } },
      rules: [
        { action: 'view', points: 1, revocable: false, code: 'v' },
        { action: 'praise', points: 2, revocable: true, ownSubject: 'ignore', grants: [{ to: 'owner', points: 5 }] },
        { action: 'follow', points: 2, revocable: true, once: 'ever', ownSubject: 'ignore' },
        { action: 'hail', points: 1, revocable: true, once: { days: 3 }, grants: [{ to: 'owner', points: 100 }] },
        { action: 'sale', points: 7, revocable: true, once: 'each' },
        { action: 'tip', points: 3, revocable: true, once: { days: 2 } },
      ],
      limits: [{ type: 'daily', action: 'view', max: 3 }],
      leaderboards: [
        { name: 'day', period: 'day', tallies: ['received:praise'] },
        { name: 'month', period: 'month' },
        { name: 'team', period: 'month', partition: 'team' },
      ],
    },
  });

/** What was done on two days, where one account is called so: of itself, by others, and among the two. */
export const doneBy = (name: string, atMs: number) => {
  const praise = (userId: string, subject: string, ownerId: string, action = 'praise') => ({
    ...{ userId, action, subject, ownerId, occurredAt: new Date(atMs) },
  });
  const view = (userId: string, subject: string, partitions = {}) => ({
    ...{ userId, action: 'view', subject, partitions, occurredAt: new Date(atMs + Number(subject)) },
  });
  return [
    ...[view('ann', '1'), view(name, '1'), view('ann', '2'), view(name, '3', { team: 'red' }), view(name, '4')],
    ...[praise(name, 'b', 'bob'), praise('ann', 'b', 'bob'), praise(name, 'c', 'bob')],
    ...[praise('bob', 'o', name), praise('cho', 'o', name), praise('ann', 'o', name)],
    ...[praise('bob', `user:${name}`, name), praise('cho', `user:${name}`, name)],
    ...[praise('cho', 'a', 'ann'), praise(name, 'a', 'ann'), praise('eve', `user:${name}`, name, 'hail')],
    { userId: name, action: 'follow', subject: 'user:ann', occurredAt: new Date(atMs) },
    { userId: name, action: 'follow', subject: 'user:bob', occurredAt: new Date(atMs) },
  ];
};
