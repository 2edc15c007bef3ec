import { type UserDirectory, USER_DIRECTORY } from '@laurel/activity';
import type { ErasureReceipt } from '@laurel/activity/internals';
import { Module } from '@nestjs/common';
import { mentions } from '../../support/mentions';
import { closeTestRedis, freshPrefix, testRedis } from '../../support/redis';
import { waitUntil } from '../../support/wait-until';
import { eraseUser } from './support/erase-user';
import { stopTinyApps, TinyApp, withKey } from './support/tiny-app';

afterEach(stopTinyApps);
afterAll(closeTestRedis);

/** An app whose directory erases as it is told to. */
const start = async (erase: (userId: string) => Promise<Record<string, number>>, prefix = freshPrefix()) => {
  const directory: UserDirectory = { find: () => Promise.resolve(new Map()), erase };
  @Module({ providers: [{ provide: USER_DIRECTORY, useValue: directory }], exports: [USER_DIRECTORY] })
  class Directory {}
  const app = await TinyApp.start({ options: { prefix }, extras: { imports: [Directory] } });
  const ask = (userId: string) =>
    app.send<ErasureReceipt>(`/activity/users/${userId}`, { method: 'DELETE', headers: withKey });
  const receiptOf = async (id: string) =>
    (await app.get<ErasureReceipt>(`/activity/erasure-receipts/${id}`, withKey)).body;
  const untilDone = (id: string) => waitUntil(async () => (await receiptOf(id)).state === 'done');
  return { app, prefix, ask, receiptOf, untilDone };
};

const view = (userId: string) => ({ userId, action: 'view', subject: '/a' });

/** What a test ends when it likes. */
const held = () => {
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  return { ended, end };
};

describe('an erasure that is asked for', () => {
  it('is answered with a receipt, which can be asked for, and names the user no more', async () => {
    const { app, prefix, ask, receiptOf, untilDone } = await start(() => Promise.resolve({ articles: 2 }));
    await app.record(view('zoe'));
    const { status, body } = await ask('zoe');
    expect([status, body.userId]).toEqual([202, 'zoe']);
    await untilDone(body.id);
    const done = { id: body.id, userId: null, state: 'done', fault: null, erased: { articles: 2, ledgers: 1 } };
    expect(await receiptOf(body.id)).toMatchObject(done);
    expect(await mentions(testRedis(), prefix, 'zoe')).toEqual([]);
    expect((await app.get('/activity/erasure-receipts/none', withKey)).status).toBe(404);
    expect((await app.get(`/activity/erasure-receipts/${body.id}`)).status).toBe(401);
  });

  it('waits for those before it, in their order, and keeps nothing else waiting', async () => {
    const { ended, end } = held();
    const begun: string[] = [];
    const { app, ask, receiptOf, untilDone } = await start(async (userId) => {
      begun.push(userId);
      await ended;
      return {};
    });
    await app.record(view('zoe'), view('yan'), view('bob'));
    const first = await ask('zoe');
    const [second, third] = [await ask('yan'), await ask('xia')];
    expect([first, second, third].map(({ status, body }) => [status, body.state])).toEqual([
      [202, 'running'],
      [202, 'waiting'],
      [202, 'waiting'],
    ]);
    // Asked for again it is the same one.
    expect((await ask('yan')).body.id).toBe(second.body.id);
    expect((await app.record(view('bob'))).body.results).toMatchObject([{ outcome: 'duplicate' }]);
    end();
    await untilDone(third.body.id);
    expect(begun).toEqual(['zoe', 'yan', 'xia']);
    expect(await receiptOf(second.body.id)).toMatchObject({ state: 'done', erased: { ledgers: 1 } });
  });

  it('is gone on with by another instance where one died, before those that came later', async () => {
    const { ended, end } = held();
    const dying = await start(async () => {
      await ended;
      return {};
    });
    const { prefix } = dying;
    await dying.app.record(view('zoe'));
    const { body } = await dying.ask('zoe');
    expect(body.state).toBe('running');
    const begun: string[] = [];
    const other = await start((userId) => {
      begun.push(userId);
      return Promise.resolve({});
    }, prefix);
    // As Redis does when nobody renews it.
    await testRedis().del(`{${prefix}}:erasing`);
    await other.untilDone((await other.ask('yan')).body.id);
    expect(begun).toEqual(['zoe', 'yan']);
    expect(await other.receiptOf(body.id)).toMatchObject({ state: 'done', userId: null, erased: { ledgers: 1 } });
    end();
    // The one that was thought dead comes to its end as well.
    await dying.app.nest.close();
    expect(await other.receiptOf(body.id)).toMatchObject({ state: 'done', userId: null, erased: { ledgers: 1 } });
    expect(await mentions(testRedis(), prefix, 'zoe')).toEqual([]);
  });

  it('is tried again where it failed, and those behind it do not wait', async () => {
    let isBroken = true;
    const fault = Object.assign(new Error('Connection is closed.'), { name: 'Error' });
    const { ask, receiptOf, untilDone } = await start((userId) =>
      isBroken && userId === 'zoe' ? Promise.reject(fault) : Promise.resolve({}),
    );
    const { id } = (await ask('zoe')).body;
    await waitUntil(async () => (await receiptOf(id)).fault !== null);
    expect(await receiptOf(id)).toMatchObject({ userId: 'zoe', doneAt: null });
    await untilDone((await ask('yan')).body.id);
    isBroken = false;
    expect((await ask('zoe')).body.id).toBe(id);
    await untilDone(id);
    expect((await receiptOf(id)).fault).toBeNull();
  });

  it('is left by an instance that lacks what the one had that was asked', async () => {
    const { ended, end } = held();
    const dying = await start(async () => {
      await ended;
      return {};
    });
    const { prefix } = dying;
    const { body } = await dying.ask('zoe');
    await testRedis().del(`{${prefix}}:erasing`);
    const bare = await TinyApp.start({ options: { prefix } });
    expect((await eraseUser(bare, 'yan')).body.state).toBe('done');
    expect(await dying.receiptOf(body.id)).toMatchObject({ state: 'running', userId: 'zoe' });
    end();
  });
});
