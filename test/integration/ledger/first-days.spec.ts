import { ManualClock } from '../../support/clock';
import { keptBoard, keptLedger } from '../../support/ledger';
import { closeTestRedis, freshPrefix, testRedis } from '../../support/redis';

const now = Date.parse('2036-11-20T12:00:00Z');

afterAll(closeTestRedis);

describe('first days that are asked for before anybody has begun to keep them', () => {
  it('are known as soon as somebody has', async () => {
    const prefix = freshPrefix();
    const open = () =>
      keptLedger(testRedis(), {
        prefix,
        boards: [keptBoard('day')],
        clock: new ManualClock(now),
        keepsFirstDays: true,
      });
    const [reader, writer] = [open(), open()];
    expect(await reader.firstDays.of(['ann'])).toEqual([null]);
    await writer.prepare();
    await writer.apply([{ kind: 'grant', member: 'ann', field: 'p:1', points: 1, occurredAtMs: now }]);
    expect(await reader.firstDays.of(['ann', 'bob'])).toEqual(['2036-11-20', null]);
  });
});
