import { performance } from 'node:perf_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ObserverQueue, type Observer, type ObserverQueueOptions } from './observer-queue';

/** Timers, and the clock that deadlines go by, are moved by hand. */
let nowMs = 0;
beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'performance'] });
  jest.spyOn(performance, 'now').mockImplementation(() => nowMs);
});
afterEach(() => void jest.restoreAllMocks().useRealTimers());

const pass = (ms: number) => {
  nowMs += ms;
  jest.advanceTimersByTime(ms);
};
/** Whatever is only waiting for its turn has had it. */
const settled = async () => {
  for (let turn = 0; turn < 40; turn += 1) await nextTurn();
};

/** A promise and what settles it. */
function gate(): { readonly opened: Promise<void>; open(): void } {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open: () => open() };
}

function queueOf(options: Partial<ObserverQueueOptions> = {}) {
  const failures: string[] = [];
  const queue = new ObserverQueue({
    ...{ concurrency: 8, maxWaiting: 1_000, timeoutMs: 30_000, ...options },
    onFailure: (event, reason) => failures.push(`${event} ${reason}`),
  });
  const send = (event: string, ...listeners: readonly Observer[]) =>
    queue.push(
      event,
      listeners.map((hear) => ({ key: hear, hear })),
    );
  return { queue, send, failures };
}

describe('listeners', () => {
  it('break nothing where they throw, at once or later: the others hear, and it is said', async () => {
    const { queue, send, failures } = queueOf();
    const heard = jest.fn();
    const broken = () => {
      throw new Error('a listener of the tests');
    };
    const rejecting = () => Promise.reject(new Error('a listener of the tests'));
    for (const event of ['a', 'b']) send(event, broken, rejecting, heard);
    await settled();
    expect(heard).toHaveBeenCalledTimes(2);
    expect(failures.sort()).toEqual(['a threw', 'a threw', 'b threw', 'b threw']);
    expect(queue.waiting).toBe(0);
  });

  it('delay neither who sends nor another listener where they are slow', async () => {
    const { queue, send } = queueOf({ concurrency: 1 });
    const [{ opened, open }, heard] = [gate(), jest.fn()];
    const slow = () => opened;
    for (let i = 0; i < 30; i += 1) send('a', slow, heard);
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
    for (let i = 0; i < 9; i += 1) send('a', hear);
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
    for (const event of ['a', 'b', 'c']) send(event, hear);
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

  it('miss what comes while too much waits for them, which is said; others hear it, and so do they what comes later', async () => {
    const { queue, send, failures } = queueOf({ concurrency: 1, maxWaiting: 2 });
    const [{ opened, open }, heard] = [gate(), jest.fn()];
    const slow = jest.fn(() => opened);
    for (const event of ['a', 'b', 'c', 'd', 'e']) {
      send(event, slow, heard);
      await settled();
    }
    expect([heard.mock.calls.length, failures]).toEqual([5, ['d missed', 'e missed']]);
    open();
    await settled();
    send('f', slow);
    await settled();
    expect([slow.mock.calls.length, queue.waiting]).toEqual([4, 0]);
  });

  it('hear all of a burst in the next turn, where they are quick', async () => {
    const { send } = queueOf({ concurrency: 1 });
    const heard = jest.fn();
    for (let i = 0; i < 500; i += 1) send('a', heard);
    expect(heard).not.toHaveBeenCalled();
    await nextTurn();
    await nextTurn();
    expect(heard).toHaveBeenCalledTimes(500);
  });
});

it('the end of the queue comes when all has been heard, and waits for a listener that hangs so long and no longer', async () => {
  for (const hear of [() => Promise.resolve(), () => new Promise(() => undefined)]) {
    const { queue, send } = queueOf();
    send('a', hear);
    const ended = jest.fn();
    const closed = queue.close(1_000).then(ended);
    await settled();
    expect([ended.mock.calls.length, queue.waiting]).toEqual(ended.mock.calls.length > 0 ? [1, 0] : [0, 1]);
    pass(1_000);
    await closed;
  }
});
