import { type LoggerService } from '@nestjs/common';
import { EventEmitter2 } from '@nestjs/event-emitter';
import { ActivityHealth, ActivityService, type Activity } from '@laurel/activity';
import { Ledgers } from '@laurel/activity/internals';
import { ownRedis } from '../../support/own-servers';
import { afterThisTest, freshPrefix, ManualClock, type ProblemBody, TinyApp, waitUntil, withKey } from './support';

/** A Redis of the tests' own, whose settings they change. */
const own = ownRedis();

const praise = (userId: string, subject = 'article:7'): Activity => ({ userId, action: 'praise', subject });

async function start(url = own.servers.url) {
  const clock = new ManualClock('2036-11-20T08:00:00Z');
  const prefix = freshPrefix();
  const lines: string[] = [];
  const note = (...line: unknown[]) => void lines.push(line.map(String).join(' '));
  const logger: LoggerService = { log: () => undefined, warn: note, error: note };
  const app = await TinyApp.start({
    options: { redis: { url }, prefix, clock, settlement: false },
    configure: (nest) => nest.useLogger(logger),
  });
  afterThisTest(() => own.client.config('SET', 'maxmemory', '0'));
  const refusals = (code: string) => app.metric(`laurel_redis_refusals_total{code="${code}"}`);
  const told = (code: string) => lines.filter((line) => line.includes(code));
  const ready = async () => (await app.nest.get(ActivityHealth).check('redis')).redis;
  const post = (userId: string, subject?: string) =>
    app.post<ProblemBody>('/activity/events', { events: [praise(userId, subject)] }, withKey);
  return { app, clock, prefix, lines, refusals, told, ready, post };
}

describe('a Redis that refuses writes', () => {
  it('because it is full is told by its code once a minute, counted, and named by readiness until it has room', async () => {
    const { app, clock, refusals, told, ready, post } = await start();
    await post('ada');
    expect(await ready()).toEqual({ status: 'up' });
    await own.client.config('SET', 'maxmemory', '1');
    for (let i = 0; i < 3; i += 1) {
      const { status, headers } = await post('ada', `article:${i}`);
      expect([status, headers.get('retry-after')]).toEqual([503, '2']);
    }
    expect(told('OOM')).toEqual([expect.stringMatching(/^Redis refuses writes: OOM\. "npx --no laurel doctor"/)]);
    expect(await refusals('OOM')).toBe(3);
    expect(await ready()).toMatchObject({ status: 'down', message: expect.stringMatching(/refuses writes: OOM/) });
    expect((await app.get('/ranks/day')).status).toBe(200);

    clock.advance(60_000);
    await post('ada', 'article:4');
    expect(told('OOM')).toHaveLength(2);
    expect(await ready()).toMatchObject({ status: 'down' });
    await own.client.config('SET', 'maxmemory', '0');
    clock.advance(15_000);
    expect(await ready()).toEqual({ status: 'up' });
    expect(await post('ada', 'article:5')).toMatchObject({ status: 200 });
  });

  it('because its user may not is told as NOPERM', async () => {
    await own.client.acl('SETUSER', 'limited', 'on', '>secret', '~*', '&*', '+@all');
    const url = own.servers.url.replace('redis://', 'redis://limited:secret@');
    const { refusals, told, ready, post } = await start(url);
    await own.client.acl('SETUSER', 'limited', '-evalsha', '-eval');
    expect(await post('ada')).toMatchObject({ status: 503 });
    expect(told('NOPERM')).toEqual([expect.stringMatching(/^Redis refuses writes: NOPERM\./)]);
    expect(await refusals('NOPERM')).toBe(1);
    expect(await ready()).toMatchObject({ status: 'down', message: expect.stringMatching(/NOPERM/) });
  });

  it('because a key is of another type is told as WRONGTYPE, for reads too; readiness is for all users', async () => {
    const { app, prefix, told, ready, post } = await start();
    await post('ada');
    const [ledger = ''] = (await own.client.keys(`{${prefix}*}:*ada*`)).filter((key) => key.includes('ledger'));
    await own.client.set(ledger, 'x');
    expect(await post('ada')).toMatchObject({ status: 503 });
    expect(told('WRONGTYPE')).toHaveLength(1);
    expect(await ready()).toEqual({ status: 'up' });
    // Others of the same call are recorded.
    const heard: string[] = [];
    app.nest.get(EventEmitter2).on('activity.recorded', ({ activity }) => heard.push((activity as Activity).userId));
    const events = ['ada', 'ann', 'bob'].map((userId) => praise(userId));
    const { status, body } = await app.post<ProblemBody>('/activity/events', { events }, withKey);
    expect([status, body.type]).toEqual([503, 'urn:laurel:problem:unrecordable']);
    expect([await app.score('ann'), await app.score('bob')]).toEqual([2, 2]);
    await waitUntil(() => heard.sort().join() === 'ann,bob');

    const other = await start();
    await other.post('ada');
    const [board = ''] = await own.client.keys(`{${other.prefix}*}:board:day:*`);
    await own.client.set(board, 'x');
    expect(await other.app.get('/ranks/day')).toMatchObject({ status: 503 });
    expect(other.told('Redis refuses a command: WRONGTYPE')).toHaveLength(1);
    expect(await app.get('/ranks/day')).toMatchObject({ status: 200 });
  });
});

describe('a fault of our own', () => {
  it.each([
    ['a SyntaxError', new SyntaxError('a fault of the tests')],
    ['a TypeError', new TypeError('a fault of the tests')],
    ['an error that says nothing of a connection', new Error('a fault of the tests')],
  ])('while recording is a 500 with a trace in the log, not a Redis that is away: %s', async (_, fault) => {
    const { app, lines, post } = await start();
    const applied = jest.spyOn(app.nest.get(Ledgers).main, 'applyToShard').mockRejectedValue(fault);
    expect(await post('ada')).toMatchObject({ status: 500, body: { type: 'about:blank' } });
    expect(lines).toEqual([expect.stringMatching(/a fault of the tests[^]*at /)]);
    await expect(app.nest.get(ActivityService).record(praise('ada'))).rejects.toBe(fault);
    expect(await app.metric('laurel_activity_failures_total{source="service",code="internal"}')).toBe(2);
    applied.mockRestore();
    expect(await post('ada')).toMatchObject({ status: 200 });
  });

  it('while reading is one too', async () => {
    const { app, lines } = await start();
    jest.spyOn(app.nest.get(Ledgers).main.history, 'days').mockRejectedValue(new SyntaxError('a fault of the tests'));
    expect(await app.get('/activity/users/ada', withKey)).toMatchObject({ status: 500 });
    expect(lines).toEqual([expect.stringContaining('a fault of the tests')]);
  });
});
