import { Period } from '@laurel/leaderboard';
import {
  boardChecksum,
  collegeNote,
  collegeTimezone,
  collegeTransitions,
  expectedStandings,
  hasCollegeMessages,
} from '../support/college-messages';
import { keptBoard, keptLedger } from '../support/ledger';
import { ownCluster } from '../support/own-servers';
import { freshPrefix } from '../support/redis';

const kinds = ['day', 'week', 'month'] as const;

describe('a ledger on a Redis Cluster', () => {
  const cluster = ownCluster({ masters: 3, replicas: 1 });

  (hasCollegeMessages ? it : it.skip)(
    `stands as expected in all 229 periods of the real activity, read in pages${collegeNote}`,
    async () => {
      const ledger = keptLedger(cluster.client, {
        ...{ prefix: freshPrefix(), shards: 16, timezone: collegeTimezone },
        boards: kinds.map((kind) => keptBoard(kind)),
      });
      const transitions = collegeTransitions();
      for (let i = 0; i < transitions.length; i += 5000) await ledger.apply(transitions.slice(i, i + 5000));
      const { leaderboards } = expectedStandings();
      let compared = 0;
      for (const kind of kinds) {
        for (const [key, expected] of Object.entries(leaderboards[kind])) {
          const board = ledger.board(kind, Period.parse(kind, key, collegeTimezone));
          const lines = [];
          let cursor: string | null = null;
          do {
            const page: Awaited<ReturnType<typeof board.after>> = await board.after(cursor, 500);
            lines.push(
              ...page.entries.map(({ member, score, reachedAt }) => ({
                ...{ member, score, reachedAtMs: reachedAt?.getTime() ?? 0 },
              })),
            );
            cursor = page.next;
          } while (cursor !== null);
          expect({ [key]: boardChecksum(lines) }).toEqual({ [key]: expected.sha256 });
          compared += 1;
        }
      }
      expect(compared).toBe(229);
    },
  );
});
