import { performance } from 'node:perf_hooks';
import { ActivityError } from '../errors/errors';
import { resolveOptions } from '../options/resolve-options';
import { ledgerFeeds } from '../ledgers/ledger-feed';
import { RuleBook } from '../rules/rule-book';
import { ActivityService } from './activity.service';

afterEach(() => jest.restoreAllMocks());

const nothing = () => undefined;

/** A service of doubles, in the order of its constructor. */
function serviceOf({ recorders, announcer, metrics, extensions, settings }: Record<string, object>): ActivityService {
  const { rules } = settings as ReturnType<typeof resolveOptions>;
  const book = new RuleBook(rules, ledgerFeeds(settings as ReturnType<typeof resolveOptions>), []);
  const given = [recorders, announcer, { book }, undefined, metrics, extensions, settings];
  return new ActivityService(...(given as unknown as ConstructorParameters<typeof ActivityService>));
}

it('a call has one deadline for the user directory and Redis, from its beginning', async () => {
  const rules = [{ action: 'praise', points: 2, revocable: true, grants: [{ to: 'owner', points: 3 }] }] as const;
  const settings = resolveOptions({ redis: { url: 'redis://localhost' }, recordTimeoutMs: 6_000, rules });
  let nowMs = 1_000;
  jest.spyOn(performance, 'now').mockImplementation(() => nowMs);
  const deadlines: [string, number][] = [];
  /** Each takes its time. */
  const take = (who: string, deadlineMs: number) => {
    deadlines.push([who, deadlineMs]);
    nowMs += 1_500;
  };
  const granted = { outcome: 'granted', scores: {}, changes: {}, boards: {}, points: 2 };
  const service = serviceOf({
    settings,
    recorders: {
      ...{ begin: nothing, end: nothing },
      record: (activities: readonly (readonly unknown[])[], deadlineMs: number) => {
        take('Redis', deadlineMs);
        return Promise.resolve({ answers: activities.map((asked) => asked.map(() => granted)), fault: null });
      },
    },
    announcer: { isHeard: () => false },
    metrics: { countOutcome: nothing, countReceived: nothing, seconds: { observe: nothing } },
    extensions: {
      moderation: {
        checksNewUsers: true,
        checkNewUsers: (_users: readonly string[], deadlineMs: number) => {
          take('directory', deadlineMs);
          return Promise.resolve();
        },
      },
    },
  });
  const praise = { userId: 'ada', action: 'praise', subject: 'article:7', ownerId: 'bob' };
  expect(await service.record([praise])).toHaveLength(1);
  expect(deadlines.map((one) => one.join(' '))).toEqual(['directory 7000', 'Redis 7000']);
});

it('a call that fails before Redis is asked is counted, and asks nobody', async () => {
  const fault = new ActivityError('unavailable', 'The directory is away.');
  const [nobody, ended, countFailure] = [jest.fn(), jest.fn(), jest.fn()];
  const settings = resolveOptions({ redis: { url: 'redis://localhost' } });
  const service = serviceOf({
    settings,
    recorders: { begin: nothing, end: ended, record: nobody },
    metrics: { countFailure },
    extensions: { moderation: { checksNewUsers: true, checkNewUsers: () => Promise.reject(fault) } },
  });
  const work = service.record([{ userId: 'ada', action: 'praise', subject: 'article:7' }]);
  await expect(work).rejects.toBe(fault);
  expect([nobody.mock.calls.length, ended.mock.calls.length]).toEqual([0, 1]);
  expect(countFailure).toHaveBeenCalledWith('service', 'unavailable', 1);
});
