import type { ActivityChange, Rule } from '@laurel/activity';
import type { DeletionReceipt } from '@laurel/activity/internals';
import type { AllOptions } from '../../../support/activity-imports';
import { waitUntil } from '../../../support/wait-until';
import { type TinyApp, withKey } from './tiny-app';

const rules: readonly Rule[] = [
  { action: 'view', points: 1, revocable: false },
  { action: 'praise', points: 2, revocable: true, grants: [{ to: 'owner', points: 3 }] },
  { action: 'follow', points: 1, revocable: true, grants: [{ to: 'owner', points: 0 }] },
  { action: 'publish', points: 10, revocable: true, ownSubject: 'count' },
];

/** Of an app whose subjects are deleted. */
export const deletionOptions: Partial<AllOptions> = {
  rules,
  leaderboards: [
    { name: 'day', period: 'day' },
    { name: 'month', period: 'month', tallies: ['given:praise', 'received:praise'] },
    { name: 'double', period: 'month', points: { praise: 7 } },
  ],
  limits: [{ type: 'daily', action: 'view', max: 50 }],
  settlement: false,
  latenessMs: 3_600_000,
};

/** Asks for a deletion over HTTP, and waits until it is done. */
export async function deleteSubject(app: TinyApp, subject: string): Promise<DeletionReceipt> {
  const asked = await app.post<DeletionReceipt>('/activity/deletions', { subject }, withKey);
  expect([asked.status, asked.body.subject]).toEqual([202, subject]);
  return waitUntil(async () => {
    const { body } = await app.get<DeletionReceipt>(`/activity/deletion-receipts/${asked.body.id}`, withKey);
    return body.state === 'done' ? body : null;
  });
}

export const done = (userId: string, action: string, subject: string, ownerId?: string): ActivityChange => ({
  ...{ userId, action, subject },
  ...(ownerId !== undefined && { ownerId }),
});

/** What users have on the board of the month. */
export const monthScores = (app: TinyApp, userIds: readonly string[]): Promise<number[]> =>
  Promise.all(userIds.map((userId) => app.score(userId, 'month')));
