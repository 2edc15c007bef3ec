import { Period } from '@laurel/leaderboard';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import {
  boardChecksum,
  collegeActivities,
  collegeTimezone,
  expectedStandings,
  hasCollegeMessages,
} from '../../support/college-messages';
import { keptBoard, keptLedger, rawBoard } from '../../support/ledger';
import { closeTestRedis, freshPrefix, testRedis } from '../../support/redis';
import { runCli } from './run-cli';

const kinds = ['day', 'week', 'month'] as const;

// The data lies beside the repository and is not part of it: where it is absent, the suite says so and is skipped.
if (!hasCollegeMessages)
  process.stdout.write('skipped: the real activity (shared/data) is not beside this repository\n');

(hasCollegeMessages ? describe : describe.skip).each([1, 8])(
  'laurel import of 59,835 real messages on %d shards',
  (shards) => {
    const prefix = freshPrefix();
    const env = {
      LAUREL_PREFIX: prefix,
      LAUREL_SHARDS: String(shards),
      LAUREL_TIMEZONE: collegeTimezone,
      LAUREL_LATENESS_S: '10000000000',
      LAUREL_RETENTION: 'none',
    };
    let folder: string;
    let once: string;

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'laurel-import-test-'));
      once = collegeActivities()
        .map(({ occurredAtMs, ...event }) => `${JSON.stringify({ ...event, occurredAt: new Date(occurredAtMs) })}\n`)
        .join('');
    });
    afterAll(async () => {
      await rm(folder, { recursive: true, force: true });
      await closeTestRedis();
    });

    const importText = async (text: string): Promise<unknown> => {
      const path = join(folder, 'messages.ndjson.gz');
      await writeFile(path, gzipSync(text));
      return JSON.parse((await runCli(['import', path, '--json'], { env })).out);
    };

    /** The checksum of every board that is expected, by kind and key. */
    const found = async (): Promise<Record<string, string>> => {
      const redis = testRedis();
      const boards = kinds.map((kind) => keptBoard(kind));
      const ledger = keptLedger(redis, { prefix, shards, timezone: collegeTimezone, boards });
      const sums: Record<string, string> = {};
      for (const kind of kinds) {
        for (const key of Object.keys(expectedStandings().leaderboards[kind])) {
          const period = Period.parse(kind, key, collegeTimezone);
          sums[`${kind} ${key}`] = boardChecksum(await rawBoard(redis, ledger, kind, period));
        }
      }
      return sums;
    };
    const expected = (): Record<string, string> =>
      Object.fromEntries(
        kinds.flatMap((kind) =>
          Object.entries(expectedStandings().leaderboards[kind]).map(([key, { sha256 }]) => [`${kind} ${key}`, sha256]),
        ),
      );

    it('ends in the expected standings of all 229 periods, entry for entry', async () => {
      expect(await importText(once)).toMatchObject({ outcomes: { granted: expectedStandings().grants, closed: 0 } });
      expect(Object.keys(expected())).toHaveLength(229);
      expect(await found()).toEqual(expected());
    });

    it('changes nothing when the file comes again, three times over', async () => {
      expect(await importText(once.repeat(3))).toMatchObject({ points: 0, outcomes: { granted: 0, revoked: 0 } });
      expect(await found()).toEqual(expected());
    });
  },
);
