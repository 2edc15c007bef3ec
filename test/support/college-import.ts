import { Period, type RedisClient } from '@laurel/leaderboard';
import { boardChecksum, collegeActivities, collegeTimezone, expectedStandings } from './college-messages';
import { keptBoard, keptLedger, rawBoard } from './ledger';

const kinds = ['day', 'week', 'month'] as const;

/** What an import of the real activity is told: its zone, and that nothing is too old. */
export const collegeEnvironment = {
  LAUREL_TIMEZONE: collegeTimezone,
  LAUREL_LATENESS_S: '10000000000',
  LAUREL_RETENTION: 'none',
};

/** The real activity as lines that `laurel import` takes. */
export function collegeNdjson(): string {
  return collegeActivities()
    .map(({ occurredAtMs, ...event }) => `${JSON.stringify({ ...event, occurredAt: new Date(occurredAtMs) })}\n`)
    .join('');
}

/** What `laurel import --json` prints. */
export interface Imported {
  readonly points: number;
  readonly outcomes: Readonly<Record<string, number>>;
}

/** Of so many activities that nothing refuses. */
export function expectGrantedOrDuplicate({ outcomes }: Imported, activities: number): void {
  const { granted = 0, duplicate = 0, ...others } = outcomes;
  expect(granted + duplicate).toBe(activities);
  expect(Object.values(others).filter((count) => count > 0)).toEqual([]);
}

/** Of the real activity: the messages, and a follow for each of the 20,296 pairs. */
export function expectCollegeImported(imported: Imported): void {
  expectGrantedOrDuplicate(imported, 59_835 + 20_296);
  // Not "to be": if a busy machine delays an answer past 0.9 s, the call is sent again, and answered by duplicates.
  expect(imported.outcomes.granted).toBeLessThanOrEqual(expectedStandings().grants);
}

/** The checksum of every board that is expected, by kind and key. */
export function expectedChecksums(): Record<string, string> {
  return Object.fromEntries(
    kinds.flatMap((kind) =>
      Object.entries(expectedStandings().leaderboards[kind]).map(([key, { sha256 }]) => [`${kind} ${key}`, sha256]),
    ),
  );
}

/** The same of what lies in Redis. */
export async function foundChecksums(
  redis: RedisClient,
  { prefix, shards }: { readonly prefix: string; readonly shards: number },
): Promise<Record<string, string>> {
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
}
