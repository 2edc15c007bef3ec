import { LedgerAudit, type Ledger } from '@laurel/leaderboard';
import { keys } from '../../support/keys';
import { withBetween } from '../../support/between-trips';
import { keptBoard, keptLedger } from '../../support/ledger';
import { ownRedis } from '../../support/own-servers';
import { freshPrefix, hourMs, mentions } from '../../support';
import { drawer } from '../../support/seed';

const now = Date.parse('2036-11-20T12:00:00Z');

/** Of this file alone: an audit looks through all keys, and is tried at each of its steps. */
const server = ownRedis();

describe.each([1, 3])('what a rebuild makes, on %d shards', (shards) => {
  const timezone = 'Europe/Berlin';
  let prefix: string;
  let ledger: Ledger;

  const ledgerIn = (zone: string, redis = server.client) =>
    keptLedger(redis, {
      ...{ prefix, shards, timezone: zone },
      clock: now,
      boards: [{ ...keptBoard('day'), freezes: true }, keptBoard('month')],
    });

  const grant = (member: string, field: string, occurredAtMs: number) => ({
    kind: 'grant' as const,
    ...{ member, field, points: 2, occurredAtMs },
  });

  const audit = async (of: Ledger, heals: boolean) => new LedgerAudit(server.client, of, { heals }).run();

  const dayKeyOf = (member: string) =>
    keys.board(prefix, ledger.settings.tags[ledger.shardOf(member)] as string, 'day', '2036-11-20');

  beforeEach(async () => {
    prefix = freshPrefix();
    ledger = ledgerIn(timezone);
    await ledger.prepare();
    const draw = drawer();
    // Repeated grants, in any order: facts say when a score was reached.
    await ledger.apply(
      Array.from({ length: 300 }, () =>
        grant(`user ${draw(30)}`, `v:${draw(6)}`, now - draw(30) * hourMs - draw(1000)),
      ),
    );
  });

  it('is of no erased user: a rebuild between any two steps of an erasure leaves nothing of them', async () => {
    const redis = server.client;
    const erasing = ledgerIn(timezone, redis);
    let isWorking = true;
    for (let trip = 1; isWorking; trip++) {
      const name = `ann ${trip}.`;
      await ledger.apply([grant(name, 'v:1', now), grant(name, 'v:2', now - 30 * hourMs)]);
      await redis.zincrby(dayKeyOf(name), 2 ** 33, name);
      await audit(ledger, true);
      isWorking = false;
      const work = async () => {
        isWorking = true;
        await audit(ledger, true);
      };
      await withBetween(redis, { trip, work }, () => erasing.erasure.erase(name));
      expect([trip, await mentions(redis, prefix, name)]).toEqual([trip, []]);
      expect(await audit(ledger, false)).toMatchObject({ differences: 0 });
    }
  });
});
