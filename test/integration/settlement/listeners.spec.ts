import { Injectable, Logger, Module, Scope } from '@nestjs/common';
import { EventEmitterModule, OnEvent } from '@nestjs/event-emitter';
import { LeaderboardSettledEvent, SettledListener, type SettlementModuleOptions } from '@laurel/activity';
import { freshPrefix, keysLike, stopTinyApps, testRedis, waitUntil } from '../activity/support';
import { closesMs, day, nextClosesMs, nextDay, settlingApp } from './support/settling-app';

afterEach(async () => {
  jest.restoreAllMocks();
  await stopTinyApps();
});

const morning = `${day}T10:00:00Z`;
const seldom = { everyMs: 86_400_000 };

/** What a listener of the tests has heard, and what it does with it. */
interface Shop {
  readonly heard: string[];
  serve: (id: string, signal: AbortSignal) => unknown;
}

/** A provider with a listener of a name; each call of this makes a class of its own. */
function listener(name: string, serve: Shop['serve'] = () => undefined) {
  const shop: Shop = { heard: [], serve };
  @Injectable()
  class PrizeShop {
    @SettledListener(name)
    async givePrizes({ id }: LeaderboardSettledEvent, signal: AbortSignal): Promise<void> {
      shop.heard.push(id);
      await shop.serve(id, signal);
    }
  }
  return { shop, provider: PrizeShop };
}

/** An instance with these listeners, whose day has ended. */
async function ended(
  prefix: string,
  given: {
    readonly settlement?: false | SettlementModuleOptions;
    readonly listeners?: readonly { provider: new () => object }[];
  },
) {
  const { settlement = seldom, listeners = [] } = given;
  const one = await settlingApp({ prefix, settlement, providers: listeners.map(({ provider }) => provider) });
  await one.view(morning, 'ann', 'bob');
  one.clock.set(closesMs);
  return one;
}

describe('a named listener to settled periods', () => {
  it('hears of each period once, by its id, and leaves nothing in Redis that has no end', async () => {
    const prefix = freshPrefix();
    const prizes = listener('prizes');
    const { service } = await ended(prefix, { listeners: [prizes] });
    expect(await service.settleDue()).toMatchObject({ settled: [{ period: day }], waiting: [] });
    expect(await service.settleDue()).toMatchObject({ settled: [], waiting: [] });
    expect(prizes.shop.heard).toEqual([`day:${day}`]);
    expect(await service.requiredListeners()).toEqual(['prizes']);
    const [progress = ''] = await keysLike(testRedis(), `{${prefix}}:announced:*`);
    const ttl = await testRedis().pttl(progress);
    expect([ttl > 0, ttl <= 86_400_000]).toEqual([true, true]);
    // Where Redis has lost its data, they are known again.
    await testRedis().del(await keysLike(testRedis(), `{${prefix}}:*listeners*`));
    await service.settleDue();
    expect(await service.requiredListeners()).toEqual(['prizes']);
  });

  it('hears one period at a time, in the order in which they closed', async () => {
    let atOnce = 0;
    const prizes = listener('prizes', async () => {
      expect((atOnce += 1)).toBe(1);
      await testRedis().ping();
      atOnce -= 1;
    });
    const { service, view, clock } = await ended(freshPrefix(), { listeners: [prizes] });
    await view(`${nextDay}T00:30:00Z`, 'cho');
    clock.set(nextClosesMs);
    expect(await service.settleDue()).toMatchObject({ waiting: [] });
    expect(prizes.shop.heard).toEqual([`day:${day}`, `day:${nextDay}`]);
  });

  it('hears what another instance settled that does not have it, and nothing is done with before', async () => {
    const prefix = freshPrefix();
    const prizes = listener('prizes');
    const worker = await ended(prefix, { listeners: [prizes] });
    const api = await ended(prefix, {});
    expect(await api.service.settleDue()).toMatchObject({
      settled: [{ period: day }],
      waiting: [{ due: { leaderboard: 'day' }, listeners: ['prizes'] }],
    });
    expect(await api.service.due()).toHaveLength(1);
    expect(prizes.shop.heard).toEqual([]);
    expect(await worker.service.settleDue()).toMatchObject({ settled: [{ period: day }], waiting: [] });
    expect(prizes.shop.heard).toEqual([`day:${day}`]);
    expect(await api.service.due()).toEqual([]);
  });

  it('is waited for where its instance starts while another is called', async () => {
    const prefix = freshPrefix();
    const prizes = listener('prizes', async () => {
      const { service } = await ended(prefix, { listeners: [listener('letters')] });
      await waitUntil(async () => (await service.requiredListeners()).length === 2);
    });
    const { service } = await ended(prefix, { listeners: [prizes] });
    expect(await service.settleDue()).toMatchObject({ waiting: [{ listeners: ['letters'] }] });
  });

  it('is waited for before it has ever started, where the option names it', async () => {
    const prefix = freshPrefix();
    const settlement = { ...seldom, listeners: ['prizes'] };
    const api = await ended(prefix, { settlement });
    expect(await api.service.settleDue()).toMatchObject({ waiting: [{ listeners: ['prizes'] }] });
    const prizes = listener('prizes');
    const worker = await ended(prefix, { settlement, listeners: [prizes] });
    await worker.service.settleDue();
    expect(prizes.shop.heard).toEqual([`day:${day}`]);
  });

  it('is told again by the same id until it resolves, and nobody else is', async () => {
    const letters = listener('letters');
    let refusals = 0;
    const prizes = listener('prizes', () => {
      if (++refusals < 4) throw new Error('the prize shop is closed');
    });
    const errors = jest.spyOn(Logger.prototype, 'error').mockImplementation();
    const { service, metric } = await ended(freshPrefix(), {
      settlement: { everyMs: 20 },
      listeners: [prizes, letters],
    });
    await waitUntil(async () => (await service.due()).length === 0);
    expect(prizes.shop.heard).toEqual(Array.from({ length: 4 }, () => `day:${day}`));
    expect(letters.shop.heard).toEqual([`day:${day}`]);
    expect(await metric('laurel_settled_listener_failures_total{listener="prizes",reason="threw"}')).toBe(3);
    expect(errors.mock.calls[0]?.[0]).toContain(`The listener "prizes" failed at day ${day}`);
  });

  it('waits longer and longer before it is told again, on whatever instance', async () => {
    const prefix = freshPrefix();
    const closed = () => Promise.reject(new Error('closed'));
    const [one, two] = [listener('prizes', closed), listener('prizes', closed)];
    jest.spyOn(Logger.prototype, 'error').mockImplementation();
    const first = await ended(prefix, { settlement: { everyMs: 3_600_000 }, listeners: [one] });
    const second = await ended(prefix, { settlement: { everyMs: 3_600_000 }, listeners: [two] });
    await first.service.settleDue();
    await first.service.settleDue();
    await second.service.settleDue();
    expect([one.shop.heard.length, two.shop.heard.length]).toEqual([1, 0]);
    // The first pause is as long as between two looks; more of them are longer, ten minutes at most.
    const [pause = ''] = await keysLike(testRedis(), `{${prefix}}:put-off:*`);
    const ttlMs = await testRedis().pttl(pause);
    expect([ttlMs > 300_000, ttlMs <= 600_000]).toEqual([true, true]);
    await testRedis().del(pause);
    await second.service.settleDue();
    expect([one.shop.heard.length, two.shop.heard.length]).toEqual([1, 1]);
  });

  it('that takes too long is told so by its signal, is told again, and keeps no other from hearing', async () => {
    const signals: AbortSignal[] = [];
    const hanging = listener('hanging', (_id, signal) => {
      signals.push(signal);
      return new Promise(() => undefined);
    });
    const letters = listener('letters');
    jest.spyOn(Logger.prototype, 'error').mockImplementation();
    const { service, metric, clock, view } = await ended(freshPrefix(), {
      settlement: { everyMs: 20, listenerTimeoutMs: 200 },
      listeners: [hanging, letters],
    });
    await waitUntil(() => letters.shop.heard.length === 1);
    await view(`${nextDay}T00:30:00Z`, 'cho');
    clock.set(nextClosesMs);
    await waitUntil(() => letters.shop.heard.length === 2);
    await waitUntil(() => new Set(hanging.shop.heard).size === 2 && hanging.shop.heard.length >= 4);
    expect(signals[0]?.aborted).toBe(true);
    expect(letters.shop.heard).toEqual([`day:${day}`, `day:${nextDay}`]);
    const timeouts = await metric('laurel_settled_listener_failures_total{listener="hanging",reason="timeout"}');
    expect(timeouts).toBeGreaterThanOrEqual(2);
    hanging.shop.serve = () => undefined;
    await waitUntil(async () => (await service.due()).length === 0);
  });

  it('that hangs when its app ends does not keep it from ending, and another instance tells it again', async () => {
    const prefix = freshPrefix();
    const hanging = listener('prizes', () => new Promise(() => undefined));
    await ended(prefix, { settlement: { everyMs: 20, listenerTimeoutMs: 3_600_000 }, listeners: [hanging] });
    await waitUntil(() => hanging.shop.heard.length === 1);
    // An app that waited for its listener would end in an hour.
    await stopTinyApps();
    const prizes = listener('prizes');
    const two = await ended(prefix, { listeners: [prizes] });
    expect(await two.service.settleDue()).toMatchObject({ settled: [{ period: day }] });
    expect(prizes.shop.heard).toEqual([`day:${day}`]);
  });

  it('hears of the other parts of a leaderboard where it refuses one', async () => {
    const prizes = listener('prizes', (id) => {
      if (id.startsWith('team/red')) throw new Error('no prizes for red');
    });
    jest.spyOn(Logger.prototype, 'error').mockImplementation();
    const { app, clock, service } = await settlingApp({
      settlement: seldom,
      options: { leaderboards: [{ name: 'team', period: 'day', partition: 'team' }] },
      providers: [prizes.provider],
    });
    const events = ['blue', 'red', 'white'].map((team) => ({
      ...{ userId: `of-${team}`, action: 'view', subject: '/', occurredAt: morning, partitions: { team } },
    }));
    await app.record(...events);
    clock.set(closesMs);
    expect(await service.settleDue()).toMatchObject({ waiting: [{ listeners: ['prizes'] }] });
    expect(prizes.shop.heard).toEqual(['blue', 'red', 'white'].map((team) => `team/${team}:${day}`));
    await testRedis().del(...(await keysLike(testRedis(), '*:put-off:prizes:team:*')));
    prizes.shop.serve = () => undefined;
    expect(await service.settleDue()).toMatchObject({ waiting: [] });
    expect(prizes.shop.heard.slice(3)).toEqual([`team/red:${day}`]);
  });

  it('is retired by its name: what waited for it is done with', async () => {
    const prefix = freshPrefix();
    await ended(prefix, { listeners: [listener('prizes')] });
    await stopTinyApps();
    const { service, metric } = await ended(prefix, { settlement: { everyMs: 20 } });
    await waitUntil(async () => (await metric('laurel_settled_listener_waiting{listener="prizes"}')) === 1);
    expect(await service.retireListener('no-such')).toBe(false);
    expect(await service.retireListener('prizes')).toBe(true);
    await waitUntil(async () => (await service.due()).length === 0);
    await waitUntil(async () => Number.isNaN(await metric('laurel_settled_listener_waiting{listener="prizes"}')));
  });
});

describe('what is told at the start', () => {
  const start = (...providers: (new () => object)[]) => settlingApp({ settlement: seldom, providers });

  it('is a name that is malformed, or that two listeners have', async () => {
    await expect(start(listener('Prize Shop').provider)).rejects.toThrow(
      'Settled listeners: the name of PrizeShop.givePrizes is "Prize Shop": use 1 to 32 of a-z',
    );
    @Injectable()
    class Letters {
      @SettledListener('prizes')
      send(): void {}
    }
    await expect(start(listener('prizes').provider, Letters)).rejects.toThrow(
      'PrizeShop.givePrizes and Letters.send are both named "prizes": give each a name of its own',
    );
  });

  it('is a listener that is made anew for each request', async () => {
    @Injectable({ scope: Scope.REQUEST })
    class Fleeting {
      @SettledListener('prizes')
      hear(): void {}
    }
    await expect(start(Fleeting)).rejects.toThrow('Fleeting.hear is request-scoped');
  });

  it('is a handler of the plain event whose errors Nest would swallow', async () => {
    const warnings = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
    @Injectable()
    class Careless {
      @OnEvent('leaderboard.settled')
      hear(): void {}
    }
    @Injectable()
    class Careful {
      @OnEvent('leaderboard.settled', { suppressErrors: false })
      hear(): void {}
      @OnEvent('activity.recorded')
      other(): void {}
    }
    await settlingApp({ settlement: seldom, providers: [Careless, Careful], imports: [EventEmitterModule.forRoot()] });
    const told = warnings.mock.calls.map(([text]) => String(text)).filter((text) => text.includes('swallows'));
    expect(told).toEqual([expect.stringContaining('Nest swallows the errors of Careless.hear')]);
    expect(told[0]).toContain('@SettledListener');
  });

  it('is that listeners hear of nothing where settlement is off', async () => {
    const warnings = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
    await settlingApp({ settlement: false, providers: [listener('prizes').provider] });
    expect(warnings.mock.calls.map(([text]) => String(text))).toContainEqual(
      expect.stringContaining('its listeners "prizes" are not called'),
    );
  });
});

describe('a handler of the plain event', () => {
  it('that rejects and whose errors are not suppressed is told again', async () => {
    let calls = 0;
    @Injectable()
    class Prizes {
      @OnEvent('leaderboard.settled', { suppressErrors: false })
      hear(): void {
        if (++calls < 3) throw new Error('closed');
      }
    }
    @Module({ imports: [EventEmitterModule.forRoot()], providers: [Prizes] })
    class PrizesModule {}
    jest.spyOn(Logger.prototype, 'error').mockImplementation();
    const { view, clock, service } = await settlingApp({ imports: [PrizesModule] });
    await view(morning, 'ann');
    clock.set(closesMs);
    await waitUntil(() => calls === 3);
    await waitUntil(async () => (await service.due()).length === 0);
    expect(calls).toBe(3);
  });

  it('on another instance hears, and an instance without any tells nobody and marks nothing', async () => {
    const prefix = freshPrefix();
    const worker = await ended(prefix, { settlement: { everyMs: 20 } });
    const heard: string[] = [];
    // Registered by the next look, before anything is due.
    worker.clock.set(morning);
    worker.on(({ id }) => heard.push(id));
    await waitUntil(async () => (await worker.service.requiredListeners()).length === 1);
    const api = await ended(prefix, {});
    expect(await api.service.settleDue()).toMatchObject({ waiting: [{ listeners: ['leaderboard.settled'] }] });
    worker.clock.set(closesMs);
    await waitUntil(() => heard.length === 1);
    await waitUntil(async () => (await api.service.due()).length === 0);
  });
});
