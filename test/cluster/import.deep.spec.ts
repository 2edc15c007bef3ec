import { Period } from '@laurel/leaderboard';
import { type RedisServer } from '@laurel/servers';
import { setTimeout as delay } from 'node:timers/promises';
import {
  collegeActivities,
  collegeLedger,
  collegeNote,
  collegePeriods,
  collegeTimezone,
  expectStandings,
  hasCollegeMessages,
} from '../support/college-messages';
import { keptBoard, keptLedger, rawBoard } from '../support/ledger';
import { ownCluster } from '../support/own-servers';
import { runCli } from '../support/run-cli';
import { sampled } from '../support/sampled';
import { freshPrefix, waitUntil } from '../support';

/** What the environment gives a Cluster where LAUREL_SHARDS is not set. */
const shards = 16;
/** How much of the real activity is imported. */
const share = sampled({ sample: 0.25, full: 1 });

/** What an import of the real activity is told: its zone, and that nothing is too old. */
const collegeEnvironment = {
  LAUREL_TIMEZONE: collegeTimezone,
  LAUREL_LATENESS_S: '10000000000',
  LAUREL_RETENTION: 'none',
};

/** The real activity, or so much of it from its beginning, as lines that `laurel import` takes. */
function collegeNdjson(share: number): string {
  return collegeActivities(share)
    .map(({ occurredAtMs, ...event }) => `${JSON.stringify({ ...event, occurredAt: new Date(occurredAtMs) })}\n`)
    .join('');
}

/** What `laurel import --json` prints. */
interface Imported {
  readonly points: number;
  readonly outcomes: Readonly<Record<string, number>>;
}

/** Of so many activities that nothing refuses. */
function expectGrantedOrDuplicate({ outcomes }: Imported, activities: number): void {
  const { granted = 0, duplicate = 0, ...others } = outcomes;
  expect(granted + duplicate).toBe(activities);
  expect(Object.values(others).filter((count) => count > 0)).toEqual([]);
}

// No master that is busy, or frozen by a test, counts as failed.
const cluster = ownCluster({ nodeTimeoutMs: 60_000 });
let prefix: string;
beforeEach(() => {
  prefix = freshPrefix();
});

async function importLines(lines: string, commandTimeoutMs = 60_000): Promise<Imported> {
  const env = {
    LAUREL_COMMAND_TIMEOUT_MS: String(commandTimeoutMs),
    REDIS_CLUSTER_NODES: cluster.servers.nodes.map(({ host, port }) => `${host}:${port}`).join(','),
    LAUREL_PREFIX: prefix,
    ...collegeEnvironment,
  };
  const { out, err } = await runCli(['import', '-', '--json'], { env, stdin: lines });
  expect(err.replace(/^(Checking|Importing): .*\n/gm, '')).toBe('');
  return JSON.parse(out) as Imported;
}

it('laurel import into a Redis Cluster gives the points of calls that were sent again once, and prints these as duplicates', async () => {
  const firstMs = Date.parse('2026-11-20T12:00:00Z');
  const [users, each] = [200, 100];
  // No two lines are of one activity: only a call that is sent again can be told of a duplicate.
  const lines = Array.from({ length: users * each }, (_, n) => ({
    ...{ userId: `user-${n % users}`, action: 'praise', subject: `article:${Math.floor(n / users)}` },
    occurredAt: new Date(firstMs + n),
  }));
  const commandTimeoutMs = 900;
  const importing = importLines(lines.map((line) => `${JSON.stringify(line)}\n`).join(''), commandTimeoutMs);
  const [master] = cluster.servers.servers as [RedisServer];
  const node = cluster.client.nodes('master').find(({ options }) => options.port === master.port);
  await waitUntil(async () => ((await node?.dbsize()) ?? 0) > 10);
  master.pause();
  // The stopped master executes its received commands later; by then the CLI has given up and sends them again.
  await delay(2 * commandTimeoutMs);
  master.resume();
  const imported = await importing;

  expectGrantedOrDuplicate(imported, lines.length);
  expect(imported.outcomes.duplicate).toBeGreaterThan(0);
  expect(imported.points).toBe(2 * (imported.outcomes.granted ?? 0));
  for (const kind of ['day', 'month'] as const) {
    const ledger = keptLedger(cluster.client, {
      prefix,
      shards,
      timezone: collegeTimezone,
      boards: [keptBoard(kind)],
    });
    const board = await rawBoard(cluster.client, ledger, kind, Period.of(kind, new Date(firstMs), collegeTimezone));
    const found = new Map(board.map(({ member, ...line }) => [member, line]));
    expect(found.size).toBe(users);
    for (let user = 0; user < users; user += 1) {
      const reachedAtMs = firstMs + users * (each - 1) + user;
      expect([user, found.get(`user-${user}`)]).toEqual([user, { score: 2 * each, reachedAtMs }]);
    }
  }
});

// The data lies beside the repository and is not part of it: where it is absent, the suite says so and is skipped.
(hasCollegeMessages ? it : it.skip)(
  `of ${share * 100} % of 59,835 real messages ends in the expected standings, entry for entry${collegeNote}`,
  async () => {
    expect(collegePeriods(share).length).toBeGreaterThan(20);
    const imported = await importLines(collegeNdjson(share));
    expectGrantedOrDuplicate(imported, collegeActivities(share).length);
    await expectStandings(cluster.client, collegeLedger(cluster.client, { prefix, shards }), share);
  },
);
