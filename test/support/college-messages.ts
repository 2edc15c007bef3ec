import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { Period, type Ledger, type LedgerOptions, type RedisClient, type Transition } from '@laurel/leaderboard';
import { keptBoard, keptLedger, rawBoard } from './ledger';

/** Real activity with independently made standings lies beside the repository, where there is any. */
const folder = join(__dirname, '../../../shared/data');

export const hasCollegeMessages = existsSync(join(folder, 'college-messages.txt.gz'));

/** For the names of the tests that need them: why they are skipped, where they are. */
export const collegeNote = hasCollegeMessages ? '' : ' (skipped: the real activity is not beside this repository)';

export const collegeTimezone = 'America/Los_Angeles';

const kinds = ['day', 'week', 'month'] as const;

export interface CollegeActivity {
  readonly userId: string;
  readonly action: 'follow' | 'comment';
  readonly subject: string;
  readonly occurredAtMs: number;
}

interface ExpectedBoard {
  readonly total: number;
  readonly points: number;
  readonly sha256: string;
}

export interface ExpectedStandings {
  readonly grants: number;
  readonly leaderboards: Record<(typeof kinds)[number], Record<string, ExpectedBoard>>;
}

/**
 * The messages as activities, in the file's order: the first of a pair is a follow as well as a comment.
 * @param share how much of the file, from its beginning.
 */
export function collegeActivities(share = 1): CollegeActivity[] {
  const all = gunzipSync(readFileSync(join(folder, 'college-messages.txt.gz')))
    .toString('utf8')
    .trimEnd()
    .split('\n');
  const lines = all.slice(0, Math.ceil(share * all.length));
  const followed = new Set<string>();
  return lines.flatMap((line): CollegeActivity[] => {
    const [sender = '', receiver = '', seconds = ''] = line.split(' ');
    const message = { userId: sender, subject: `user:${receiver}`, occurredAtMs: Number(seconds) * 1000 };
    const comment = { ...message, action: 'comment' as const };
    const pair = `${sender} ${receiver}`;
    if (followed.has(pair)) return [comment];
    followed.add(pair);
    return [{ ...message, action: 'follow' as const }, comment];
  });
}

/** The activities as the ledger's transitions, under the default rules. */
export function collegeTransitions(share = 1): Transition[] {
  return collegeActivities(share).map(({ userId, action, subject, occurredAtMs }) => ({
    kind: 'grant',
    member: userId,
    field: `${action}:${subject}`,
    points: action === 'follow' ? 2 : 3,
    occurredAtMs,
  }));
}

export function expectedStandings(): ExpectedStandings {
  return JSON.parse(readFileSync(join(folder, 'college-messages.expected.json'), 'utf8')) as ExpectedStandings;
}

/** The periods of which the expected standings are known and `share` of the file has everything. */
export function collegePeriods(share = 1): { readonly kind: (typeof kinds)[number]; readonly period: Period }[] {
  const knownUntil = share < 1 ? (collegeActivities(share).at(-1)?.occurredAtMs ?? 0) : Infinity;
  return kinds.flatMap((kind) =>
    Object.keys(expectedStandings().leaderboards[kind])
      .map((key) => ({ kind, period: Period.parse(kind, key, collegeTimezone) }))
      .filter(({ period }) => (period.end as Date).getTime() <= knownUntil || share === 1),
  );
}

/** A ledger with the boards of which the standings are known. */
export function collegeLedger(redis: RedisClient, options: Partial<LedgerOptions> = {}): Ledger {
  const boards = kinds.map((kind) => keptBoard(kind));
  return keptLedger(redis, { shards: 1, timezone: collegeTimezone, boards, ...options });
}

/** Each board of which `share` of the file has everything is the expected one, entry for entry. */
export async function expectStandings(redis: RedisClient, ledger: Ledger, share: number): Promise<void> {
  const { leaderboards } = expectedStandings();
  for (const { kind, period } of collegePeriods(share)) {
    const hash = createHash('sha256');
    for (const { member, score, reachedAtMs } of await rawBoard(redis, ledger, kind, period)) {
      hash.update(`${member} ${score} ${reachedAtMs}\n`);
    }
    expect([kind, period.key, hash.digest('hex')]).toEqual([kind, period.key, leaderboards[kind][period.key]?.sha256]);
  }
}
