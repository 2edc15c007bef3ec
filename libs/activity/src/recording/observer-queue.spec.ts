import { performance } from 'node:perf_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ObserverQueue, type Observer, type ObserverQueueOptions } from './observer-queue';

/** Only timers and the clock that deadlines go by are moved by hand. */
let nowMs = 0;
beforeEach(() => {
  nowMs = 0;
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'performance'] });
  jest.spyOn(performance, 'now').mockImplementation(() => nowMs);
});
afterEach(() => {
  jest.restoreAllMocks();
  jest.useRealTimers();
});

const pass = (ms: number) => {
  nowMs += ms;
  jest.advanceTimersByTime(ms);
};
/** Whatever is only waiting for its turn has had it. */
const settled = async () => {
  for (let turn = 0; turn < 40; turn += 1) await nextTurn();
};
const soon = 1_000;

/** A promise and what settles it. */
function gate(): { readonly opened: Promise<void>; open(): void } {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open: () => open() };
}

function queueOf(options: Partial<ObserverQueueOptions> = {}) {
  const failures: string[] = [];
  let full = 0;
  const queue = new ObserverQueue({
    ...{ concurrency: 8, maxWaiting: 1_000, timeoutMs: 30_000, ...options },
    onFailure: (event, reason) => failures.push(`${event} ${reason}`),
    onFull: () => (full += 1),
  });
  const send = async (event: string, ...listeners: readonly Observer[]) => {
    await queue.reserve(1, nowMs + soon);
    queue.push(
      event,
      listeners.map((hear) => ({ key: hear, hear })),
    );
  };
  return { queue, send, failures, full: () => full };
}

describe('listeners', () => {
  it('break nothing where they throw, at once or later: the others hear, and it is said', async () => {
    const { queue, send, failures } = queueOf();
    const heard = jest.fn();
    const broken = () => {
      throw new Error('a listener of the tests');
    };
    const rejecting = () => Promise.reject(new Error('a listener of the tests'));
    for (const event of ['a', 'b']) await send(event, broken, rejecting, heard);
    await settled();
    expect(heard).toHaveBeenCalledTimes(2);
    expect(failures.sort()).toEqual(['a threw', 'a threw', 'b threw', 'b threw']);
    expect(queue.waiting).toBe(0);
  });

  it('delay neither who sends nor another listener where they are slow', async () => {
    const { queue, send } = queueOf({ concurrency: 1 });
    const [{ opened, open }, heard] = [gate(), jest.fn()];
    const slow = () => opened;
    for (let i = 0; i < 30; i += 1) await send('a', slow, heard);
    await settled();
    expect([heard.mock.calls.length, queue.waiting]).toEqual([30, 30]);
    open();
    await settled();
    await settled();
    expect(queue.waiting).toBe(0);
  });

  it('are at work on so many events at once, each listener, and no more', async () => {
    const { queue, send } = queueOf({ concurrency: 3 });
    const gates: ReturnType<typeof gate>[] = [];
    const hear = () => {
      const one = gate();
      gates.push(one);
      return one.opened;
    };
    for (let i = 0; i < 9; i += 1) await send('a', hear);
    for (let done = 0; done < 9; done += 1) {
      await settled();
      expect(gates).toHaveLength(Math.min(done + 3, 9));
      gates[done]?.open();
    }
    await settled();
    expect(queue.waiting).toBe(0);
  });

  it('are no longer waited for after a time, so that one that hangs stops nothing', async () => {
    const { queue, send, failures } = queueOf({ concurrency: 1, timeoutMs: 100 });
    const hear = jest.fn(() => new Promise(() => undefined));
    for (const event of ['a', 'b', 'c']) await send(event, hear);
    for (let n = 1; n <= 3; n += 1) {
      await settled();
      expect(hear).toHaveBeenCalledTimes(n);
      pass(99);
      await settled();
      expect(failures).toHaveLength(n - 1);
      pass(1);
    }
    await settled();
    expect([failures, queue.waiting]).toEqual([['a timeout', 'b timeout', 'c timeout'], 0]);
  });

  it('that send themselves do not wait for the room that they alone can make', async () => {
    const { queue, send } = queueOf({ concurrency: 2, maxWaiting: 2 });
    const heard = jest.fn();
    const hear = () => send('b', heard);
    const sent = Array.from({ length: 40 }, () => send('a', hear));
    for (let n = 0; n < 20; n += 1) await settled();
    await Promise.all(sent);
    await settled();
    expect([heard.mock.calls.length, queue.waiting]).toEqual([40, 0]);
  });

  it('wait like everybody with what they leave running when they have ended', async () => {
    const { queue, send, full } = queueOf({ maxWaiting: 1 });
    const [ended, busy] = [gate(), gate()];
    let later: Promise<void> | undefined;
    await send('a', () => void (later = ended.opened.then(() => send('b', jest.fn()))));
    await settled();
    await send('c', () => busy.opened);
    ended.open();
    await settled();
    expect(full()).toBe(1);
    busy.open();
    await settled();
    await later;
    await settled();
    expect(queue.waiting).toBe(0);
  });
});

describe('who sends', () => {
  it('waits where listeners are behind, until there is room, in turn', async () => {
    const { queue, send, full } = queueOf({ concurrency: 2, maxWaiting: 10 });
    const { opened, open } = gate();
    const hear = jest.fn(() => opened);
    for (let i = 0; i < 10; i += 1) await send('a', hear);
    const order: number[] = [];
    const waiting = Array.from({ length: 40 }, async (_, i) => {
      await send('a', hear);
      order.push(i);
    });
    await settled();
    expect([order.length, queue.waiting, full()]).toEqual([0, 10, 40]);
    open();
    await Promise.all(waiting);
    expect(order).toEqual([...Array(40).keys()]);
    await settled();
    expect([hear.mock.calls.length, queue.waiting]).toEqual([50, 0]);
  });

  it('is refused when its time is over, and only then', async () => {
    const { queue, send } = queueOf({ maxWaiting: 1 });
    const { opened, open } = gate();
    await send('a', () => opened);
    const refused = jest.fn();
    const second = queue.reserve(1, nowMs + soon).catch(refused);
    pass(soon - 1);
    await settled();
    expect(refused).not.toHaveBeenCalled();
    pass(1);
    await second;
    expect(refused).toHaveBeenCalledWith(expect.objectContaining({ code: 'overloaded' }));
    open();
    await settled();
    expect(queue.waiting).toBe(0);
  });

  it('has the room to itself for more than there is room for, in turn', async () => {
    const { queue } = queueOf({ maxWaiting: 5 });
    const admitted: number[] = [];
    const many = [50, 51, 1].map((count) => queue.reserve(count, nowMs + soon).then(() => admitted.push(count)));
    await settled();
    expect([admitted, queue.waiting]).toEqual([[50], 50]);
    queue.release(50);
    await settled();
    expect(admitted).toEqual([50, 51]);
    queue.release(51);
    await Promise.all(many);
    expect([admitted, queue.waiting]).toEqual([[50, 51, 1], 1]);
  });

  it('gives back the room that it did not need', async () => {
    const { queue, send } = queueOf({ maxWaiting: 3 });
    await queue.reserve(3, nowMs + soon);
    const next = send('a', jest.fn());
    queue.release(3);
    await next;
    await settled();
    expect(queue.waiting).toBe(0);
  });
});

describe('the end of the queue', () => {
  it('comes when all has been heard, and refuses who waits', async () => {
    const { queue, send } = queueOf({ maxWaiting: 1 });
    const { opened, open } = gate();
    const ended = jest.fn();
    await send('a', () => opened);
    const refused = expect(queue.reserve(1, nowMs + soon)).rejects.toMatchObject({ code: 'unavailable' });
    const closed = queue.close(soon).then(ended);
    await refused;
    expect(ended).not.toHaveBeenCalled();
    open();
    await closed;
    expect(queue.waiting).toBe(0);
  });

  it('waits for a listener that hangs so long and no longer', async () => {
    const { queue, send } = queueOf();
    await send('a', () => new Promise(() => undefined));
    const ended = jest.fn();
    const closed = queue.close(soon).then(ended);
    pass(soon - 1);
    await settled();
    expect(ended).not.toHaveBeenCalled();
    pass(1);
    await closed;
  });
});
