import { LedgerAudit, type AuditDifference } from '@laurel/leaderboard';
import { keys } from '../../support/keys';
import { shardTags } from '@laurel/leaderboard/internals';
import { ManualClock } from '../../support/clock';
import { keptBoard, keptLedger } from '../../support/ledger';
import { closeTestRedis, freshPrefix, testRedis } from '../../support/redis';

const dayMs = 86_400_000;
const now = Date.parse('2036-11-20T12:00:00Z');

afterAll(closeTestRedis);

describe('an audit of a member whose list of days never rests', () => {
  const tag = shardTags(1)[0] as string;

  it.each([
    [19, 0, 'is read at last'],
    [20, 1, 'is named as unread, and neither compared nor put right without the list'],
  ])('that changes %d times: leaves %d unread; the member %s', async (changes, unread) => {
    const redis = testRedis();
    const prefix = freshPrefix();
    const listKey = keys.days(prefix, tag, 'ann');
    const options = { prefix, boards: [keptBoard('day'), keptBoard('month')], clock: new ManualClock(now) };
    const ledger = keptLedger(redis, options);
    await ledger.prepare();
    await ledger.apply([{ kind: 'grant', member: 'ann', field: 'v:1', points: 3, occurredAtMs: now }]);
    const month = keys.board(prefix, tag, 'month', '2036-11');
    await redis.zrem(month, 'ann');

    // Another client that lists a day of hers whenever the audit has read the list.
    const reader = testRedis();
    const others = testRedis();
    const read = reader.zrange.bind(reader) as (...args: unknown[]) => Promise<string[]>;
    let changed = 0;
    const disturbed = async (...args: unknown[]): Promise<string[]> => {
      const found = await read(...args);
      if (args[0] === listKey && args[3] === 'BYSCORE' && changed < changes) {
        changed += 1;
        // Each of the days of the month before hers, and then the first of them goes again.
        const day = Date.parse('2036-11-01') / dayMs + ((changed - 1) % 19);
        await (changed <= 19 ? others.zadd(listKey, day, day) : others.zrem(listKey, day));
      }
      return found;
    };
    Object.assign(reader, { zrange: disturbed });
    const found: AuditDifference[] = [];
    const onDifference = (difference: AuditDifference) => found.push(difference);
    const audit = new LedgerAudit(reader, ledger, { countsOn: () => null, heals: true, onDifference });
    const summary = await audit.run();
    expect(changed).toBe(changes);
    const named = found.filter(({ fault }) => fault === 'unread');
    expect(named).toHaveLength(unread);
    if (unread > 0)
      expect(named).toMatchObject([{ board: 'days', period: '2036-11-20', member: 'ann', isHealed: false }]);
    expect(summary.healed).toBe(summary.differences - unread);
    // Nothing else reads the list by now: the next run repairs an unread member.
    await new LedgerAudit(redis, ledger, { countsOn: () => null, heals: true }).run();
    expect(await redis.zscore(month, 'ann')).not.toBeNull();
  });
});

describe('an audit of a ledger that waits for replicas', () => {
  it('leaves nothing behind on the client, however many there are', async () => {
    const redis = testRedis();
    const ledger = keptLedger(redis, {
      prefix: freshPrefix(),
      boards: [keptBoard('day')],
      clock: new ManualClock(now),
      waitForReplicas: { replicas: 1, timeoutMs: 10 },
    });
    const before = redis.listenerCount('end');
    for (let i = 0; i < 3; i++) await new LedgerAudit(redis, ledger, { countsOn: () => null }).run();
    expect(redis.listenerCount('end')).toBe(before);
    ledger.close();
  });
});
