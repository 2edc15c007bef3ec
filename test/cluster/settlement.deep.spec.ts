import { SettledBoards, Settler, StandingsChecksum } from '@laurel/activity/internals';
import { Ledger, type Transition } from '@laurel/leaderboard';
import { announcerTo } from '../support/announcer';
import { ManualClock } from '../support/clock';
import { keptBoard, rawBoard } from '../support/ledger';
import { ownCluster } from '../support/own-servers';
import { freshPrefix } from '../support/redis';

const cluster = ownCluster();
/** What a checksum does not look at. */
const unread = { competition: 0, dense: 0 };

describe('on a Cluster', () => {
  it('a day is settled as it stood, on 16 shards, and refuses what comes later', async () => {
    const own = freshPrefix();
    const day = '2036-11-20';
    const clock = new ManualClock(`${day}T12:00:00Z`);
    const boards = [keptBoard('day', 3_600_000), keptBoard('month', 3_600_000)];
    const options = { prefix: own, shards: 16, boards, ledgerRetentionMs: null, clock };
    const ledger = new Ledger(cluster.client, options);
    const view = (i: number): Transition => ({
      kind: 'grant',
      member: `user-${i}`,
      field: 'view:/',
      points: 1 + (i % 7),
      occurredAtMs: clock.now() - i,
    });
    await ledger.apply(Array.from({ length: 2_000 }, (_, i) => view(i)));
    const period = ledger.periods.of('day');
    const standings = await rawBoard(cluster.client, ledger, 'day', period);
    clock.set('2036-11-21T01:00:00Z');
    const announced: string[] = [];
    const settler = new Settler(ledger, cluster.client, null, {
      leaseMs: 15_000,
      rulesVersion: () => 1,
      announcer: announcerTo(cluster.client, { prefix: own, hear: ({ id }) => announced.push(id) }),
    });
    expect(await settler.settleDue()).toMatchObject({ settled: [{ leaderboard: 'day', period: day, total: 2_000 }] });
    expect(announced).toEqual([`day:${day}`]);
    const checksum = new StandingsChecksum();
    checksum.add(
      standings.map(({ member, ...line }, i) => ({ ...line, ...{ userId: member, place: i + 1 }, ...unread })),
    );
    const settled = await new SettledBoards(cluster.client, ledger).find('day', day);
    expect(settled).toMatchObject({ total: 2_000, checksum: checksum.digest() });
    clock.set(`${day}T13:00:00Z`);
    const [late] = await ledger.apply([{ ...view(1), field: 'view:/2' }]);
    expect(late).toMatchObject({ outcome: 'granted', scores: { month: 4 } });
    expect(await rawBoard(cluster.client, ledger, 'day', period)).toEqual(standings);
  });
});
