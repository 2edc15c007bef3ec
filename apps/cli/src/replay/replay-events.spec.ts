import { ActivityError } from '@laurel/activity';
import { LeaderboardError } from '@laurel/leaderboard';
import type { OutboxLog } from '@laurel/outbox';
import { replayEvents } from './replay-events';

it.each([
  ['the engine', new LeaderboardError('shardCountMismatch', 'The data lies in 4 shards.'), 'The data lies in 4'],
  ['the module', new ActivityError('unavailable', 'Redis is away.'), 'Redis is away.'],
  ['PostgreSQL', new Error('terminating connection'), 'The database could not be read (terminating connection).'],
])('a replay that %s cuts short says why, and how far it came', async (_, cause, message) => {
  const log: Pick<OutboxLog, 'total' | 'handOver'> = { total: 3, handOver: () => Promise.reject(cause) };
  const recording = { apply: () => Promise.resolve([]), faultsOf: () => [] };
  const terminal = { out: process.stdout, err: process.stderr };
  const replayed = replayEvents(log, recording, terminal, new AbortController().signal);
  await expect(replayed).rejects.toThrow(message);
  await expect(replayed).rejects.toThrow(/\nAt least 0 of 3 events are recorded\. Run the same command again/);
});
