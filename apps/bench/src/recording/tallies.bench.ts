import { Ledger, type LedgerOptions } from '@laurel/leaderboard';
import type { BenchContext, Benchmark } from '../harness/context';
import { lehmer, uniform } from '../harness/random';
import { redisCpuSeconds } from '../harness/redis-cpu';
import { compare } from '../harness/sample';
import { eventSource, transitionOf } from './events';
import { inFlight, openSetting, recorderOf } from './setting';

/** Redis' cost of an activity with tallies, and with first days, against one without. */
export const talliesBench: Benchmark = {
  name: 'tallies',
  title: 'Redis CPU an event with tallies',
  async run({ memberCounts, rounds, isQuick, report }: BenchContext): Promise<void> {
    const perRound = isQuick ? 5_000 : 20_000;
    const members = Math.min(...memberCounts);
    const setting = await openSetting(members);
    try {
      const { redis, day, ledger } = setting;
      const { boards, clock } = ledger.settings;
      const open = async (prefix: string, options: Partial<LedgerOptions>) => {
        const names = (options.boards ?? boards).map(({ name }) => name);
        const laws = { of: () => ({ once: 1, limits: [], boards: names }) };
        const one = new Ledger(redis, { prefix, clock, boards, laws, ...options });
        await one.prepare();
        return recorderOf(one);
      };
      const tallyOf = (name: string) => boards.filter((board) => board.name === name).map((board) => tallied(board));
      for (const [setting, recorder, counting] of [
        ['first days', await open('days', { keepsFirstDays: true }), ['day', 'month']],
        [
          'a tally on one of two leaderboards',
          await open('one', { boards: [...boards, ...tallyOf('day')] }),
          ['day', 'month', 'day.g.p'],
        ],
        [
          'a tally on both, first days',
          await open('two', { boards: [...boards, ...tallyOf('day'), ...tallyOf('month')], keepsFirstDays: true }),
          ['day', 'month', 'day.g.p', 'month.g.p'],
        ],
      ] as const) {
        // Both are given the same events, on boards that begin empty.
        const plain = await open(`plain-${counting.length}-${setting.length}`, {});
        const source = () => {
          const random = lehmer(1);
          return eventSource(uniform(members, random), random, day.start.getTime());
        };
        const [ours, theirs] = [source(), source()];
        const perEvent = async (record: () => Promise<unknown>) => {
          const before = await redisCpuSeconds(redis);
          await inFlight(perRound, 256, record);
          return [(((await redisCpuSeconds(redis)) - before) / perRound) * 1e6];
        };
        report(
          await compare(
            () => perEvent(() => recorder.record(transitionOf(ours()))),
            () => perEvent(() => plain.record(transitionOf(theirs()))),
            {
              setting: `${members.toLocaleString('en')} members, ${setting}`,
              baselineName: 'the same events without',
              metrics: [{ name: talliesBench.title, unit: 'µs', target: null }],
              rounds,
            },
          ),
        );
        await recorder.close(5_000);
        await plain.close(5_000);
      }
    } finally {
      await setting.close();
    }
  },
};

function tallied(board: LedgerOptions['boards'][number]): LedgerOptions['boards'][number] {
  return { ...board, name: `${board.name}.g.p`, tallyOf: board.name };
}
