import { Period } from '@laurel/leaderboard';
import { SettledBoards, settlerWith } from '../../support/settler';
import {
  collegeNote,
  collegePeriods,
  collegeLedger,
  collegeTransitions,
  collegeTimezone,
  expectedStandings,
  expectStandings,
  hasCollegeMessages,
} from '../../support/college-messages';
import { keptBoard } from '../../support/ledger';
import { ownRedis } from '../../support/own-servers';
import { freshPrefix, ManualClock } from '../../support';

const kinds = ['day', 'week', 'month'] as const;
const latenessMs = 3_600_000;

/** A Cluster takes more of them, and at night all: `test/cluster/import.deep.spec.ts`. */
const share = 0.1;

// The data lies beside the repository and is not part of it: where it is absent, the suite says so and is skipped.
const described = hasCollegeMessages ? describe : describe.skip;
described(`${share * 100} % of 59,835 real messages${collegeNote}`, () => {
  const server = ownRedis();
  const transitions = hasCollegeMessages ? collegeTransitions(share) : [];
  const periods = hasCollegeMessages ? collegePeriods(share) : [];
  const grants = new Set(
    transitions.map(({ member, field, occurredAtMs }) => {
      return `${member} ${field} ${Period.of('day', new Date(occurredAtMs), collegeTimezone).key}`;
    }),
  ).size;
  it(`stand as expected in all ${periods.length} periods, entry for entry`, async () => {
    expect(periods.length).toBeGreaterThan(10);
    const ledger = collegeLedger(server.client);
    let granted = 0;
    for (let i = 0; i < transitions.length; i += 1000) {
      const results = await ledger.apply(transitions.slice(i, i + 1000));
      granted += results.filter(({ outcome }) => outcome === 'granted').length;
    }
    expect(granted).toBe(grants);
    await expectStandings(server.client, ledger, share);
  });

  it('are archived as they stand, and announced once, each period as soon as it has closed', async () => {
    const redis = server.client;
    const prefix = freshPrefix();
    const clock = new ManualClock(transitions[0]?.occurredAtMs ?? 0);
    const boards = kinds.map((kind) => keptBoard(kind, latenessMs));
    const ledger = collegeLedger(redis, { prefix, boards, clock });
    const announced: string[] = [];
    const settler = settlerWith(redis, ledger, ({ id }) => announced.push(id));
    const closesAt = ({ end }: Period) => (end as Date).getTime() + latenessMs;
    let at = 0;
    for (const closesAtMs of [...new Set(periods.map(({ period }) => closesAt(period)))].sort((a, b) => a - b)) {
      // What comes until then, at the time it came.
      let end = at;
      while ((transitions[end]?.occurredAtMs ?? Infinity) < closesAtMs) end++;
      for (; at < end; at = Math.min(at + 500, end)) {
        const batch = transitions.slice(at, Math.min(at + 500, end));
        clock.set(batch.at(-1)?.occurredAtMs ?? 0);
        await ledger.apply(batch);
      }
      clock.set(closesAtMs - 1);
      expect(await settler.due()).toEqual([]);
      clock.set(closesAtMs);
      const done = await settler.settleDue();
      const due = periods.filter(({ period }) => closesAt(period) === closesAtMs);
      expect(done?.settled.map(({ leaderboard, period }) => `${leaderboard} ${period}`).sort()).toEqual(
        due.map(({ kind, period }) => `${kind} ${period.key}`).sort(),
      );
    }
    expect(announced.sort()).toEqual(periods.map(({ kind, period }) => `${kind}:${period.key}`).sort());
    await expectStandings(redis, ledger, share);
    const { leaderboards } = expectedStandings();
    for (const { kind, period } of periods) {
      const settled = await new SettledBoards(redis, ledger).find(kind, period.key);
      expect([kind, period.key, settled?.total]).toEqual([kind, period.key, leaderboards[kind][period.key]?.total]);
    }
  });
});
