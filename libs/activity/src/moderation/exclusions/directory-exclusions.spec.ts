import { performance } from 'node:perf_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { Extensions } from '../../core/extensions/extensions';
import { DirectoryExclusions } from './directory-exclusions';
import { PeriodicTasks } from '../../core/periodic/periodic-tasks';
import type { Exclusion } from './exclusion';

/** Only timers and the clock that deadlines go by are moved by hand. */
let nowMs = 0;
beforeEach(() => {
  nowMs = 0;
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'performance', 'Date'] });
  jest.spyOn(performance, 'now').mockImplementation(() => nowMs);
  jest.spyOn(Logger.prototype, 'error').mockReturnValue();
});
afterEach(() => {
  jest.restoreAllMocks();
  jest.useRealTimers();
});

const pass = async (ms: number) => {
  nowMs += ms;
  jest.advanceTimersByTime(ms);
  for (let turn = 0; turn < 10; turn += 1) await nextTurn();
};
const users = (count: number) => Array.from({ length: count }, (_, i) => `user ${i}`);

/** What asks the app's directory, which answers by `isExcluded`, over exclusions in memory. */
function exclusionsBy(
  isExcluded: (userIds: readonly string[]) => Promise<ReadonlyMap<string, 'banned'>>,
  stored: readonly Exclusion[] = [],
) {
  const clock = { nowMs: 0, now: () => clock.nowMs };
  const asked: string[][] = [];
  const extensions = new Extensions({
    find: () => Promise.resolve(new Map()),
    isExcluded: (userIds) => {
      asked.push([...userIds]);
      return isExcluded(userIds);
    },
  });
  const exclusions = {
    find: (userId: string) => {
      const found = stored.filter((one) => one.userId === userId);
      return Promise.resolve({ userId, excluded: found.length > 0, exclusions: found });
    },
    list: ({ limit = 100, cursor = '0' }) => {
      const end = Number(cursor) + limit;
      const next = end < stored.length ? `${end}` : null;
      return Promise.resolve({ exclusions: stored.slice(Number(cursor), end), next });
    },
  };
  type Parts = ConstructorParameters<typeof DirectoryExclusions>;
  const tasks = new PeriodicTasks({ isReady: true }, { prefix: 'tests' });
  const parts = [
    {},
    exclusions,
    { leaderboards: () => [] },
    tasks,
    extensions,
    { clock, commandTimeoutMs: 1_000 },
  ] as unknown as Parts;
  return { asked, clock, tasks, directory: new DirectoryExclusions(...parts) };
}

describe('the user directory', () => {
  it('has half of the time of a call at most, in questions of 200 users', async () => {
    const answers: (() => void)[] = [];
    const { asked, directory } = exclusionsBy(() => new Promise((resolve) => answers.push(() => resolve(new Map()))));
    const done = jest.fn();
    const checked = directory.checkNewUsers(users(1_400), nowMs + 6_000).then(done);
    for (let question = 1; question <= 4; question += 1) {
      await pass(700);
      expect(asked).toHaveLength(question);
      answers[question - 1]?.();
      await pass(0);
    }
    expect(asked.map((some) => some.length)).toEqual([200, 200, 200, 200, 200]);
    await pass(199);
    expect(done).not.toHaveBeenCalled();
    await pass(1);
    await checked;
    expect(asked).toHaveLength(5);
  });

  it('is left alone for five seconds where it failed or took longer than `commandTimeoutMs`, and asked again then', async () => {
    for (const fails of [() => Promise.reject(new Error('away')), () => new Promise<never>(() => undefined)]) {
      const { asked, clock, directory } = exclusionsBy(fails);
      const check = async () => {
        const checked = directory.checkNewUsers(['ann'], nowMs + 60_000);
        await pass(1_000);
        await checked;
        return asked.length;
      };
      expect([await check(), await check()]).toEqual([1, 1]);
      clock.nowMs += 5_000;
      expect(await check()).toBe(2);
    }
  });

  it('is asked nothing more when the app stops, which waits for a question under way, five seconds at most', async () => {
    for (const isHanging of [false, true]) {
      let answer = (): void => undefined;
      const { asked, tasks, directory } = exclusionsBy((userIds) =>
        userIds.length === 1
          ? Promise.resolve(new Map())
          : new Promise((resolve) => (answer = () => resolve(new Map()))),
      );
      for (const userId of users(600)) await directory.checkNewUsers([userId], nowMs + 1_000);
      asked.length = 0;
      directory.onApplicationBootstrap();
      await pass(60_000);
      const stopped = jest.fn();
      const stopping = tasks.beforeApplicationShutdown().then(stopped);
      await pass(0);
      expect([asked.length, stopped.mock.calls.length]).toEqual([1, 0]);
      if (isHanging) await pass(5_000);
      else answer();
      await stopping;
      expect(asked).toHaveLength(1);
    }
  });

  it('is asked in each round about some of many users whom it excludes, and the others in the next ones', async () => {
    const why = {
      reason: 'banned',
      source: 'directory',
      since: '2026-11-01T00:00:00.000Z',
      by: null,
      note: null,
    } as const;
    const stored = users(45_000).map((userId) => ({ ...why, userId }));
    const everyone = (userIds: readonly string[]) =>
      Promise.resolve(new Map(userIds.map((userId) => [userId, 'banned'] as const)));
    const { asked, directory } = exclusionsBy(everyone, stored);
    const round = async () => {
      await directory.refresh();
      return asked.splice(0).flat();
    };
    const rounds = [await round(), await round(), await round()];
    expect(rounds.map((some) => some.length)).toEqual([20_000, 20_000, 5_000]);
    expect(new Set(rounds.flat()).size).toBe(stored.length);
    expect(await round()).toEqual(rounds[0]);
  });
});
