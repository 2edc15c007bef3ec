import { ApiError } from '../http/api-error';
import type { Query } from '../http/query';
import { askAgain, resourceOf } from './resource';

// What browsers have: the pages' clock of asking listens to both.
Object.assign(globalThis, {
  document: Object.assign(new EventTarget(), { hidden: false }),
  window: new EventTarget(),
});

const everyMs = 5_000;
let routes = 0;

/** A route that answers after 100 ms with how often it was asked. */
function route({ path = '/points', fault }: { path?: string; fault?: () => ApiError | null } = {}) {
  const server = { requests: 0, aborted: 0 };
  const query: Query<number> = {
    key: `${path} ${(routes += 1)}`,
    path,
    read: async (signal) => {
      server.requests += 1;
      const answer = server.requests;
      const found = fault?.() ?? null;
      signal?.addEventListener('abort', () => (server.aborted += 1));
      await new Promise((resolve) => setTimeout(resolve, 100));
      if (found) throw found;
      return answer;
    },
  };
  return { server, query, resource: resourceOf(query) };
}

describe('a resource', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('is one for each question, and two who show it share its request and its answer', async () => {
    const { server, query, resource } = route();
    const stops = [resource.hold({}), resourceOf({ ...query }).hold({})];
    expect(resourceOf({ ...query })).toBe(resource);
    await jest.advanceTimersByTimeAsync(100);
    expect([server.requests, resource.known.value]).toEqual([1, 1]);
    for (const stop of stops) stop();
  });

  it('keeps what came while it is read again, and shows it when it is shown again', async () => {
    const { server, resource } = route();
    const stop = resource.hold({});
    await jest.advanceTimersByTimeAsync(100);
    resource.again();
    expect([server.requests, resource.known.value]).toEqual([2, 1]);
    await jest.advanceTimersByTimeAsync(100);
    stop();
    const stopLater = resource.hold({});
    expect(resource.known.value).toBe(2);
    await jest.advanceTimersByTimeAsync(100);
    expect(resource.known.value).toBe(3);
    stopLater();
  });

  it('forgets a visit when nobody shows it any more', async () => {
    const { resource } = route();
    const stop = resource.hold({ isBrief: true });
    await jest.advanceTimersByTimeAsync(100);
    expect(resource.known.value).toBe(1);
    stop();
    expect(resource.known.value).toBeNull();
  });

  it('cancels a request that nobody wants any more, not one that somebody still does', async () => {
    const { server, resource } = route();
    const [first, second] = [resource.hold({}), resource.hold({})];
    first();
    expect(server.aborted).toBe(0);
    second();
    expect(server.aborted).toBe(1);
    await jest.advanceTimersByTimeAsync(100);
    expect(resource.known.value).toBeNull();
  });

  it('is read as often as the most eager of those who show it wants', async () => {
    const { server, resource } = route();
    const [once, often] = [resource.hold({}), resource.hold({ everyMs })];
    await jest.advanceTimersByTimeAsync(10_250);
    expect(server.requests).toBe(4);
    // Who shows what is kept up anyway asks nothing, and nor does leaving it.
    resource.hold({})();
    expect(server.requests).toBe(4);
    often();
    const before = server.requests;
    await jest.advanceTimersByTimeAsync(60_000);
    expect(server.requests - before).toBeLessThanOrEqual(1);
    once();
  });

  it('asks nothing beside what tells it, and again when that ends', async () => {
    const { server, resource } = route();
    const unfollow = resource.follow();
    const stop = resource.hold({ everyMs });
    resource.tell(40);
    await jest.advanceTimersByTimeAsync(60_000);
    expect([server.requests, resource.known.value]).toEqual([0, 40]);
    resource.again();
    await jest.advanceTimersByTimeAsync(60_000);
    expect([server.requests, resource.known.value]).toEqual([1, 1]);
    unfollow();
    expect(server.requests).toBe(2);
    await jest.advanceTimersByTimeAsync(5_200);
    expect(server.requests).toBe(3);
    stop();
  });

  it('is asked until the server answers, with what was there before and what is wrong', async () => {
    let isAway = false;
    const { server, resource } = route({ fault: () => (isAway ? new ApiError('away', '') : null) });
    const stop = resource.hold({});
    await jest.advanceTimersByTimeAsync(100);
    isAway = true;
    resource.again();
    await jest.advanceTimersByTimeAsync(100);
    expect([resource.known.value, resource.known.fault?.kind]).toEqual([1, 'away']);
    isAway = false;
    await jest.advanceTimersByTimeAsync(10_000);
    expect([server.requests, resource.known.value, resource.known.fault]).toEqual([3, 3, null]);
    stop();
  });

  it('shows nothing of what is gone, and does not ask for it again by itself', async () => {
    const answers = [null, new ApiError('notFound', '')];
    const { server, resource } = route({ fault: () => answers.shift() ?? null });
    const stop = resource.hold({});
    await jest.advanceTimersByTimeAsync(100);
    resource.again();
    await jest.advanceTimersByTimeAsync(60_000);
    expect([server.requests, resource.known.value, resource.known.fault?.kind]).toEqual([2, null, 'notFound']);
    stop();
  });

  it('is read again by what was done to its route, as long as it is shown', async () => {
    const [shown, other, left] = [
      route({ path: '/activity/reviews' }),
      route({ path: '/activity/rules' }),
      route({ path: '/activity/reviews' }),
    ];
    const stops = [shown, other].map(({ resource }) => resource.hold({}));
    await jest.advanceTimersByTimeAsync(100);
    askAgain('/activity/reviews');
    expect([shown, other, left].map(({ server }) => server.requests)).toEqual([2, 1, 0]);
    for (const stop of stops) stop();
  });

  it('remembers some fifty answers that nobody shows', async () => {
    const first = route();
    const read = async ({ resource }: typeof first) => {
      const stop = resource.hold({});
      await jest.advanceTimersByTimeAsync(100);
      stop();
    };
    await read(first);
    for (let other = 0; other < 50; other += 1) await read(route());
    expect(resourceOf(first.query)).not.toBe(first.resource);
  });
});
