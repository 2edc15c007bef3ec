import { Period, type Ledger, type Transition, type TransitionOutcome } from '@laurel/leaderboard';
import type { Redis } from 'ioredis';
import {
  boardChecksum,
  collegeTimezone,
  collegeTransitions,
  expectedStandings,
  collegeNote,
  hasCollegeMessages,
} from '../../support/college-messages';
import { keptBoard, keptLedger, rawBoard } from '../../support/ledger';
import { freshPrefix, ownRedis } from '../../support/redis';
import { sampled } from '../../support/sampled';
import { announceSeed, shuffled } from '../../support/seed';

const kinds = ['day', 'week', 'month'] as const;

// The data lies beside the repository and is not part of it: where it is absent, the suite says so and is skipped.
(hasCollegeMessages ? describe : describe.skip).each([1, 8])(
  `59,835 real messages on %d shards${collegeNote}`,
  (shards) => {
    const server = ownRedis();
    let transitions: readonly Transition[];
    let redis: Redis;
    /** Told the whole file once, in order. */
    let inOrder: Ledger;
    let outcomesInOrder: Map<TransitionOutcome, number>;
    beforeAll(async () => {
      redis = server.connect();
      transitions = collegeTransitions();
      inOrder = newLedger();
      outcomesInOrder = await replay(inOrder, transitions);
    });

    const newLedger = () =>
      keptLedger(redis, {
        prefix: freshPrefix(),
        shards,
        timezone: collegeTimezone,
        boards: kinds.map((kind) => keptBoard(kind)),
      });

    async function replay(ledger: Ledger, transitions: readonly Transition[]): Promise<Map<TransitionOutcome, number>> {
      const outcomes = new Map<TransitionOutcome, number>();
      for (let i = 0; i < transitions.length; i += 1000) {
        for (const { outcome } of await ledger.apply(transitions.slice(i, i + 1000))) {
          outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
        }
      }
      return outcomes;
    }

    /** Every expected board, as `describeBoard` puts the expected and the found one. */
    async function compareAll(
      ledger: Ledger,
      describeBoard: (kind: string, period: Period) => Promise<[unknown, unknown]>,
    ): Promise<number> {
      const { leaderboards } = expectedStandings();
      let compared = 0;
      for (const kind of kinds) {
        for (const key of Object.keys(leaderboards[kind])) {
          const [found, expected] = await describeBoard(kind, Period.parse(kind, key, collegeTimezone));
          expect({ [`${kind} ${key}`]: found }).toEqual({ [`${kind} ${key}`]: expected });
          compared += 1;
        }
      }
      return compared;
    }

    const checksums =
      (ledger: Ledger) =>
      async (kind: string, period: Period): Promise<[unknown, unknown]> => [
        boardChecksum(await rawBoard(redis, ledger, kind, period)),
        expectedStandings().leaderboards[kind as 'day'][period.key]?.sha256,
      ];

    it('stand as expected in all 229 periods, entry for entry', async () => {
      expect(outcomesInOrder.get('granted')).toBe(expectedStandings().grants);
      expect(await compareAll(inOrder, checksums(inOrder))).toBe(229);
    });

    const again = sampled({ sample: 1, full: 2 });

    it(`stand the same when the whole file is sent again, ${again} times`, async () => {
      for (let time = 0; time < again; time += 1) {
        expect((await replay(inOrder, transitions)).has('granted')).toBe(false);
      }
      expect(await compareAll(inOrder, checksums(inOrder))).toBe(229);
    });

    const most = sampled({ sample: 20_000, full: 160_262 });

    it(`stand with the same members and scores when it is shuffled, and ${most} of it come again`, async () => {
      announceSeed();
      const more = [transitions, transitions].flatMap(shuffled).slice(0, most);
      const disordered = newLedger();
      const outcomes = await replay(disordered, shuffled([...transitions, ...more]));
      expect(outcomes.get('granted')).toBe(expectedStandings().grants);
      const scores = async (ledger: Ledger, kind: string, period: Period) =>
        Object.fromEntries((await rawBoard(redis, ledger, kind, period)).map(({ member, score }) => [member, score]));
      const compared = await compareAll(disordered, async (kind, period) => [
        await scores(disordered, kind, period),
        await scores(inOrder, kind, period),
      ]);
      expect(compared).toBe(229);
    });
  },
);
