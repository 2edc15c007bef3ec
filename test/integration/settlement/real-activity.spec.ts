import { Ledger, Period } from '@laurel/leaderboard';
import { type SettledPeriod } from '@laurel/activity';
import { RedisArchive, Settler } from '@laurel/activity/internals';
import { announcerTo } from '../../support/announcer';
import { ManualClock } from '../../support/clock';
import {
  boardChecksum,
  collegeTimezone,
  collegeTransitions,
  expectedStandings,
  collegeNote,
  hasCollegeMessages,
} from '../../support/college-messages';
import { keptBoard } from '../../support/ledger';
import { closeTestRedis, freshPrefix, testRedis } from '../../support/redis';

const kinds = ['day', 'week', 'month'] as const;
const latenessMs = 3_600_000;

// The data lies beside the repository and is not part of it: where it is absent, the suite says so and is skipped.
(hasCollegeMessages ? describe : describe.skip).each([1, 8])(
  `59,835 real messages, settled on %d shards${collegeNote}`,
  (shards) => {
    afterAll(closeTestRedis);

    it('each day in its turn: the archive holds the expected standings of all 229 periods', async () => {
      const redis = testRedis();
      const prefix = freshPrefix();
      const transitions = collegeTransitions();
      const clock = new ManualClock(transitions[0]?.occurredAtMs ?? 0);
      const ledger = new Ledger(redis, {
        prefix,
        shards,
        timezone: collegeTimezone,
        boards: kinds.map((kind) => keptBoard(kind, latenessMs)),
        ledgerRetentionMs: null,
        clock,
      });
      const archive = new RedisArchive(redis, { prefix, shards, clock });
      const announced: string[] = [];
      const settler = new Settler(ledger, redis, archive, {
        leaseMs: 60_000,
        rulesVersion: () => 1,
        announcer: announcerTo(redis, archive, { prefix, hear: ({ id }) => announced.push(id) }),
      });

      const { leaderboards } = expectedStandings();
      const expected = kinds.flatMap((kind) =>
        Object.keys(leaderboards[kind]).map((key) => {
          const end = Period.parse(kind, key, collegeTimezone).end as Date;
          return { kind, key, closesAtMs: end.getTime() + latenessMs };
        }),
      );
      const closings = [...new Set(expected.map(({ closesAtMs }) => closesAtMs))].sort((a, b) => a - b);
      const settled: SettledPeriod[] = [];
      let at = 0;
      for (const closesAtMs of closings) {
        // What comes until then, at the time it came.
        let end = at;
        while ((transitions[end]?.occurredAtMs ?? Infinity) < closesAtMs) end++;
        for (; at < end; at = Math.min(at + 500, end)) {
          const batch = transitions.slice(at, Math.min(at + 500, end));
          clock.set(batch[batch.length - 1]?.occurredAtMs ?? 0);
          await ledger.apply(batch);
        }
        clock.set(closesAtMs - 1);
        expect(await settler.due()).toEqual([]);
        clock.set(closesAtMs);
        const done = await settler.settleDue();
        const due = expected.filter((period) => period.closesAtMs === closesAtMs);
        expect(new Set(done?.settled.map(({ leaderboard, period }) => `${leaderboard} ${period}`))).toEqual(
          new Set(due.map(({ kind, key }) => `${kind} ${key}`)),
        );
        settled.push(...(done?.settled ?? []));
      }
      expect(at).toBe(transitions.length);
      expect(settled).toHaveLength(229);
      expect(announced).toHaveLength(229);
      expect(new Set(announced).size).toBe(229);

      for (const { kind, key } of expected) {
        const entries = await archive.page(kind, key, 0, 10_000);
        const checksum = boardChecksum(
          entries.map(({ userId, score, reachedAtMs }) => ({ member: userId, score, reachedAtMs: reachedAtMs ?? 0 })),
        );
        const { sha256, total } = leaderboards[kind][key] as { sha256: string; total: number };
        expect({ kind, key, checksum, total: entries.length }).toEqual({ kind, key, checksum: sha256, total });
      }
    });
  },
);
