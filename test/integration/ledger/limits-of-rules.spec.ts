import { type TransitionLimit } from '@laurel/leaderboard';
import type { LawfulTransition as Transition } from '../../support/lawful-ledger';
import { grantsAt, keptBoard, keptLedger } from '../../support/ledger';
import { noonOfLimits as noon } from '../../support/limits';
import { ManualClock, testRedis } from '../../support';

const redis = testRedis();

describe('what a limit refused', () => {
  it('may be tried again by the same id on its day, and counts once', async () => {
    const clock = new ManualClock(noon + 3_600_000);
    const ledger = keptLedger(redis, { clock, boards: [keptBoard('day'), keptBoard('month')] });
    const limits: TransitionLimit[] = [{ type: 'sliding', name: 'slow', max: 1, windowMs: 60_000, per: 'member' }];
    const byId = (id: string, ms: number) => ({
      ...grantsAt(noon + ms)('ann', `p:1#${id}`, { points: 2, limits }),
      id,
    });
    const answers = async (...transitions: Transition[]) =>
      (await ledger.apply(transitions)).map(({ outcome, scores }) => `${outcome} ${scores['day']}`);
    expect(await answers(byId('a', 0), byId('b', 0))).toEqual(['granted 2', 'limited 2']);
    clock.advance(86_400_000);
    const tried = byId('b', 60_000);
    expect(await answers(tried, tried)).toEqual(['granted 4', 'duplicate 4']);
  });
});
