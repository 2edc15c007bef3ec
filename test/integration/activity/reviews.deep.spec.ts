import { Exclusions, Reviews, REDIS_CLIENT } from '@laurel/activity';
import { type RankStanding, type Review } from '@laurel/activity/internals';
import type { RedisClient } from '@laurel/leaderboard';
import { withBetween } from '../../support/between-trips';
import { freshPrefix, waitUntil } from '../../support';
import { startReviewing } from './support/reviewing';

it('a void that was cut short is finished by some instance, though nobody asks again', async () => {
  const { app, clock, view, record, post } = await startReviewing();
  const from = new Date(clock.now() - 1_000);
  await record(view('ann', 'a'));
  const { body } = await post('', { userId: 'ann', reason: 'a ring', from });
  const cut = { trip: 10, work: () => Promise.reject(new Error('Connection is closed.')) };
  const redis = app.nest.get<RedisClient>(REDIS_CLIENT);
  const work = withBetween(redis, cut, () => app.nest.get(Reviews).void(body.id));
  await expect(work).rejects.toMatchObject({ code: 'unavailable' });
  const isExcluded = async () => (await app.nest.get(Exclusions).find('ann')).excluded;
  expect(await isExcluded()).toBe(true);
  await waitUntil(async () => !(await isExcluded()), { withinMs: 60_000 });
  expect([await app.score('ann', 'month'), (await post(`/${body.id}/void`)).body]).toMatchObject([
    0,
    { voided: { grants: 1 } },
  ]);
});

describe('a call of the review queue between any two steps of another', () => {
  const reason = 'a ring';

  /** Users who are held, each with a view that is not in question and two that are. */
  async function startHeld() {
    const options = { prefix: freshPrefix(), shards: 1, leaderboards: [{ name: 'month', period: 'month' }] } as const;
    const { app, clock, view, record } = await startReviewing(options);
    const reviews = app.nest.get(Reviews);
    // Of another process: within one, calls that change the same user take turns.
    const others = (await startReviewing(options)).app.nest.get(Reviews);
    const users = Array.from({ length: 80 }, (_, i) => `user ${i + 1}`);
    await record(...users.map((userId) => view(userId, 'before')));
    clock.advance(1_000);
    const from = new Date(clock.now()).toISOString();
    await record(...users.flatMap((userId) => ['a', 'b'].map((subject) => view(userId, subject))));
    /** Does what `between` does ahead of each round trip of `call`, each time with another user, who is held. */
    const ahead = async (
      call: (review: Review) => Promise<unknown>,
      between: (review: Review) => Promise<unknown>,
      check: (userId: string, answer: unknown) => Promise<void>,
    ) => {
      for (let trip = 1; ; trip++) {
        const userId = users[trip - 1] as string;
        const review = await reviews.hold({ userId, reason, from });
        let hasWorked = false;
        const work = () => {
          hasWorked = true;
          return between(review);
        };
        const answer = await withBetween(app.nest.get<RedisClient>(REDIS_CLIENT), { trip, work }, () => call(review));
        if (!hasWorked) return expect(trip).toBeGreaterThan(5);
        await check(userId, answer);
      }
    };
    return { app, reviews, others, ahead };
  }

  it.each([
    { call: 'a repeated hold', isRelease: false, then: 'was released', isHeldAnew: false },
    { call: 'a repeated hold', isRelease: false, then: 'was released and is held anew', isHeldAnew: true },
    { call: 'a release', isRelease: true, then: 'was released and is held anew', isHeldAnew: true },
  ])(
    '$call, when the user $then, keeps them off the boards as long as a review is open',
    async ({ isRelease, isHeldAnew }) => {
      const { app, reviews, ahead } = await startHeld();
      const isOff: boolean[] = [];
      await ahead(
        ({ id, userId }) => (isRelease ? reviews.release(id) : reviews.hold({ userId, reason })),
        async ({ id, userId }) => {
          await reviews.release(id);
          if (isHeldAnew) await reviews.hold({ userId, reason });
        },
        async (userId) => {
          const queue = await reviews.list();
          expect(queue.map(({ state }) => state)).toEqual(queue.map(() => 'held'));
          const isHeld = queue.some((review) => review.userId === userId);
          expect(await app.nest.get(Exclusions).find(userId)).toMatchObject({ excluded: isHeld });
          const { entry } = (await app.get<RankStanding>(`/ranks/month/users/${userId}`)).body;
          expect(entry.rank === null).toBe(isHeld);
          isOff.push(isHeld);
        },
      );
      // A user who is released before they are held again is held.
      expect(isOff).toEqual(isOff.map((_, i) => isHeldAnew || i === 0));
    },
  );

  it('reports the same removed standings to all concurrent calls that void', async () => {
    const { app, reviews, others, ahead } = await startHeld();
    const voided = { grants: 2, points: 2, removedFrom: [] };
    await ahead(
      ({ id }) => reviews.void(id),
      async ({ id }) => expect(await others.void(id)).toMatchObject({ state: 'voided', voided }),
      async (userId, answer) => {
        expect(answer).toMatchObject({ state: 'voided', voided });
        expect(await reviews.find((answer as Review).id)).toEqual(answer);
        const { entry } = (await app.get<RankStanding>(`/ranks/month/users/${userId}`)).body;
        expect(entry.score).toBe(1);
      },
    );
  });
});
