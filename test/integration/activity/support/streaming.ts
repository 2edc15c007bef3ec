import type { Redis } from 'ioredis';
import { ManualClock } from '../../../support/clock';
import { EventStream } from '../../../support/event-stream';
import { oneTinyApp, TinyApp, type TinyAppOptions } from './tiny-app';

const rules = [{ action: 'praise', points: 1, revocable: true }] as const;

const optionsOf = (clock: ManualClock, given: TinyAppOptions): TinyAppOptions => ({
  ...given,
  options: {
    ...{ clock, rules, streams: { everyMs: 100 } },
    ...given.options,
  },
});

let subject = 0;

const using = (app: TinyApp, clock: ManualClock) => ({
  app,
  clock,
  /** So many points for a user, a second later than the ones before; returns what gave them. */
  give: async (userId: string, points: number) => {
    clock.advance(1_000);
    const praises = Array.from({ length: points }, () => ({ userId, action: 'praise', subject: `${subject++}` }));
    await app.record(...praises);
    return praises;
  },
  listen: async (path: string, headers: Record<string, string> = {}) =>
    EventStream.open(`${await app.nest.getUrl()}/ranks/${path}`, headers),
});

/** An app of a test's own whose boards are streamed. */
export async function startStreaming(given: TinyAppOptions = {}) {
  const clock = new ManualClock('2036-11-20T08:00:00.000Z');
  return using(await TinyApp.start(optionsOf(clock, given)), clock);
}

/** An app of all tests of a `describe`, each of which has a day of its own, two days after that of the one before. */
export function oneStreaming(given: TinyAppOptions = {}) {
  const clock = new ManualClock('2036-11-18T08:00:00.000Z');
  const app = oneTinyApp(optionsOf(clock, given));
  beforeEach(() => clock.set(Math.floor(clock.now() / 86_400_000) * 86_400_000 + 2 * 86_400_000 + 8 * 3_600_000));
  return () => using(app(), clock);
}

/** How many scripts a Redis was sent so far: every read of standings is one. */
export async function scriptCalls(redis: Redis): Promise<number> {
  const stats = await redis.info('commandstats');
  const calls = [...stats.matchAll(/cmdstat_(?:evalsha|eval):calls=(\d+)/g)];
  return calls.reduce((sum, [, count]) => sum + Number(count), 0);
}
