import { Period } from '@laurel/leaderboard';
import { Logger } from '@nestjs/common';
import { Registry } from 'prom-client';
import { SharedMetrics } from '../core/observability/shared-metrics';
import type { KnownFacts, TitleFacts, TitleNeed } from './title-facts';
import { TitleFailures, Titles } from './titles';
import { resolveTitles } from './titles.options';

type Answering = (facts: TitleFacts) => unknown;

const day = Period.parse('day', '2036-11-20', 'UTC');
const factsOf = (userId: string, more: Partial<KnownFacts> = {}): KnownFacts => ({
  ...{ userId, leaderboard: 'day', partition: null, period: day, lastDay: day.key, points: 1, rank: 1 },
  ...{ counts: null, streak: null, hours: null, firstDay: null, leaders: new Map() },
  ...more,
});

/** A chain of rules that are asked in this order, and the failures it has counted. */
function chainOf(...rules: { readonly name: string; readonly title: Answering; readonly needs?: TitleNeed[] }[]) {
  const registry = new Registry();
  const chain = rules.map(({ name, title, needs = [] }, order) => ({
    name,
    order,
    needs: new Set(needs),
    rule: { title },
  }));
  const failures = new TitleFailures(new SharedMetrics(registry));
  const given = [{}, { chain }, {}, failures, {}, resolveTitles({ timeoutMs: 500 })] as unknown;
  const titles = new Titles(...(given as ConstructorParameters<typeof Titles>));
  const failed = async () => {
    const [metric] = await registry.getMetricsAsJSON();
    return metric?.values.map(({ labels, value }) => [labels.rule, labels.reason, value]);
  };
  const of = async (...userIds: string[]) => {
    const found = await titles.titlesOf(userIds.map((userId) => factsOf(userId)));
    return found.map((title) => title?.name ?? null);
  };
  return { titles, of, failed };
}

const next = { name: 'Next', title: () => 'Next' };
let logged: jest.SpiedFunction<Logger['error']>;
beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
  logged = jest.spyOn(Logger.prototype, 'error').mockImplementation();
});
afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

describe('the chain of title rules', () => {
  it('asks one rule after the other until one names a title: a text for its own id, or a title as it is', async () => {
    const second = { id: 'x.second', name: '第二 <b>' };
    const first = { name: 'First', title: ({ userId }: TitleFacts) => (userId === 'ada' ? 'Early' : null) };
    const { titles } = chainOf(first, { name: 'Second', title: () => Promise.resolve(second) }, next);
    expect(await titles.titlesOf([factsOf('ada'), factsOf('bob')])).toEqual([{ id: 'Early', name: 'Early' }, second]);
  });

  it('passes over a rule of which not all that it needs is known', async () => {
    const needs: TitleNeed[] = ['counts', 'first:given:comment'];
    const counting = { name: 'Counting', title: () => 'Counted', needs };
    const { titles } = chainOf(counting, next);
    const counts = { given: {}, received: {} };
    const users = [
      factsOf('ada'),
      factsOf('bob', { counts }),
      factsOf('cyd', { counts, leaders: new Map([['given:comment', null]]) }),
    ];
    expect((await titles.titlesOf(users)).map((title) => title?.name)).toEqual(['Next', 'Next', 'Counted']);
  });
});

describe('a rule that fails', () => {
  it.each([
    [
      'throws',
      'error',
      () => {
        throw new Error('no');
      },
    ],
    ['rejects', 'error', () => Promise.reject(new Error('no'))],
    ['hangs', 'timeout', () => new Promise<never>(() => undefined)],
    ['looks at what it did not name', 'error', ({ counts }: TitleFacts) => counts],
    ['looks at a tally that it did not name', 'error', (facts: TitleFacts) => facts.isFirst('given:praise')],
    ['answers a number', 'invalid', () => 7],
    ['answers an empty text', 'invalid', () => ''],
    ['answers a very long text', 'invalid', () => 'x'.repeat(101)],
    ['answers half a character', 'invalid', () => '\ud800'],
    ['answers a title without an id', 'invalid', () => ({ name: 'x' })],
    ['answers a title without a text', 'invalid', () => ({ id: 'x', name: null })],
  ] as [string, string, Answering][])('that %s shows no title, is logged once and counted', async (_, reason, fail) => {
    const failing = { name: 'Failing', title: (facts: TitleFacts) => (facts.userId === 'ada' ? fail(facts) : null) };
    const { of, failed } = chainOf(failing, next);
    for (let time = 1; time <= 2; time += 1) {
      const shown = of('ada', 'bob');
      await jest.advanceTimersByTimeAsync(500);
      expect(await shown).toEqual([null, 'Next']);
    }
    expect(await failed()).toEqual([['Failing', reason, 2]]);
    expect(logged).toHaveBeenCalledTimes(1);
    expect(logged.mock.calls[0]?.[0]).toContain('The rule Failing');
  });

  it('that hangs for everybody holds a page up once, not once a user', async () => {
    const hanging = { name: 'Hanging', title: () => new Promise<never>(() => undefined) };
    const { of, failed } = chainOf(hanging, next);
    const shown = of(...Array.from({ length: 20 }, (_, i) => `user-${i}`));
    await jest.advanceTimersByTimeAsync(500);
    expect(await shown).toEqual(Array.from({ length: 20 }, () => null));
    expect(await failed()).toEqual([['Hanging', 'timeout', 20]]);
  });

  it('warns without a trace where Redis did not give the facts', () => {
    const warned = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
    new TitleFailures(new SharedMetrics(new Registry())).report('all', 'unavailable', new Error('too late'));
    expect([warned.mock.calls.length, logged.mock.calls.length]).toEqual([1, 0]);
  });
});
