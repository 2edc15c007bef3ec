import { Period, type Ledger, type Transition } from '@laurel/leaderboard';
import type { Redis } from 'ioredis';
import { ManualClock } from '../../support/clock';
import { keptBoard, keptLedger, rawBoard } from '../../support/ledger';
import { atMost, expectFiveOfOneField, limitsOfFive, triesOfOneField } from '../../support/limits';
import { closeTestRedis, freshPrefix, testRedis } from '../../support/redis';

const noon = Date.parse('2036-11-20T12:00:00Z');

describe('limits under many tries at once', () => {
  let redis: Redis;
  beforeAll(() => {
    redis = testRedis();
  });
  afterAll(closeTestRedis);

  describe.each([1, 3])('on %d shards', (shards) => {
    it.each(Object.entries(limitsOfFive))(
      '%s: of 256 tries over 16 connections exactly five are granted, and as many as are freed again',
      async (_, { limits, more, isFreed }) => {
        const prefix = freshPrefix();
        const ledgers = Array.from({ length: 16 }, () =>
          keptLedger(testRedis(), {
            prefix,
            shards,
            clock: new ManualClock(noon),
            boards: [keptBoard('day'), keptBoard('month')],
            limitTypes: [atMost],
          }),
        );
        const tries = (from: number, change: Partial<Transition> = {}) =>
          Promise.all(
            Array.from({ length: 256 }, (__, i) =>
              (ledgers[i % 16] as Ledger).apply([
                {
                  kind: 'grant',
                  member: 'ann',
                  field: `p:${from + i}`,
                  points: 2,
                  occurredAtMs: noon - i,
                  limits,
                  ...more,
                  ...change,
                },
              ]),
            ),
          ).then((results) => results.flat());
        const countOf = (results: readonly { readonly outcome: string }[], outcome: string) =>
          results.filter((result) => result.outcome === outcome).length;

        const first = await tries(0);
        expect([countOf(first, 'granted'), countOf(first, 'limited')]).toEqual([5, 251]);
        const granted = first.flatMap(({ outcome }, i) => (outcome === 'granted' ? [i] : []));
        for (const i of granted.slice(0, 2)) {
          const [revoked] = await (ledgers[3] as Ledger).apply([
            { kind: 'revoke', member: 'ann', field: `p:${i}`, points: 2, occurredAtMs: noon, limits },
          ]);
          expect(revoked).toMatchObject({ outcome: 'revoked', points: -2 });
        }
        const second = await tries(1000);
        expect(countOf(second, 'granted')).toBe(isFreed ? 2 : 0);
        const today = Period.of('day', new Date(noon), 'UTC');
        const [line] = await rawBoard(redis, ledgers[0] as Ledger, 'day', today);
        expect(line?.score).toBe(isFreed ? 10 : 6);
      },
    );

    it(`sliding per field: ${triesOfOneField}`, async () => {
      const boards = [keptBoard('day'), keptBoard('month')];
      const options = { prefix: freshPrefix(), shards, clock: new ManualClock(noon), boards };
      await expectFiveOfOneField(Array.from({ length: 16 }, () => keptLedger(testRedis(), options)));
    });
  });
});
