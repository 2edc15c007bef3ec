import { Ledger, type Transition } from '@laurel/leaderboard';
import fc from 'fast-check';
import { MortalRedis } from '../support/mortal-redis';
import { freshPrefix, ManualClock } from '../support';
import { sampled } from '../support/sampled';
import { seed } from '../support/seed';
import { firstMs, holdMergeToLaw, holdToLaw, kept, luckOf, merges, revalueAll, runs } from '../support/fact-histories';
import { FactsModel, ownPoints } from './facts-model';
import { dayMs, entriesOf, redisOfProperty } from './histories';

describe('facts', () => {
  const own = redisOfProperty();
  let clients: MortalRedis[];
  beforeAll(async () => {
    clients = [0, 1, 2].map(() => new MortalRedis(own.servers.url));
    await Promise.all(clients.map((client) => client.ping()));
  });
  afterAll(() => clients.forEach((client) => client.disconnect()));

  it('come to what the law says of them, in every order, by several processes that crash, and verify finds nothing', async () => {
    await fc.assert(
      fc.asyncProperty(runs, async ({ orders: [first, second], ...run }) => {
        await holdToLaw(run, first, clients.slice(0, 1), 1);
        await holdToLaw(run, second, clients, 8);
        await own.client.flushdb();
      }),
      { numRuns: sampled({ sample: 3, deep: 6, full: 2_000 }), seed, endOnFailure: true },
    );
  });

  it('answer each transition with the points that it changes, and leave frozen boards as they are', async () => {
    await fc.assert(
      fc.asyncProperty(runs, async ({ laws, orders: [order], luck: begin }) => {
        const luck = luckOf(begin);
        const model = new FactsModel(laws, kept.timezone);
        const clock = new ManualClock(firstMs + 7 * dayMs);
        const settings = { ...kept, prefix: freshPrefix(), shards: 1, laws, clock };
        const ledger = new Ledger(own.client, settings);
        const frozen = new Map<string, Record<string, number>>();
        const isOn = (period: string) => (id: string) => /^day(?:\.praised)?:(\S+) /.exec(id)?.[1] === period;
        const entries = (set: readonly Transition[]) => Object.entries(model.entries(set, ledger));
        let [before, known]: [ReturnType<FactsModel['worths']>, Transition[]] = [[], []];
        for (const one of order.slice(0, 30)) {
          if (luck(12) === 0) {
            const period = ledger.periods.of('day', firstMs + luck(6) * dayMs);
            const stands = entries(known).filter(([id]) => isOn(period.key)(id));
            if (!frozen.has(period.key)) frozen.set(period.key, Object.fromEntries(stands));
            await ledger.periods.freeze('day', period);
          }
          const [result] = await ledger.apply([one]);
          known = [...known, one];
          const after = model.worths(known);
          expect(result?.points).toBe(ownPoints(after, one.member) - ownPoints(before, one.member));
          before = after;
        }
        await ledger.payOwed(Number.MAX_SAFE_INTEGER);
        const isOpen = ([id]: [string, number]) => ![...frozen.keys()].some((period) => isOn(period)(id));
        const expected = (set: readonly Transition[]) =>
          Object.assign(Object.fromEntries(entries(set).filter(isOpen)), ...frozen.values()) as object;
        expect(await entriesOf(own.client, ledger)).toEqual(expected(known));
        const { set: then } = await revalueAll(ledger, known);
        expect(await entriesOf(own.client, ledger)).toEqual(expected(then));
        ledger.close();
        await own.client.flushdb();
      }),
      { numRuns: sampled({ sample: 8, deep: 20, full: 1_000 }), seed },
    );
  });

  it('of two accounts that become one come to what the law says of the one, whenever that crashes and begins anew', async () => {
    await fc.assert(
      fc.asyncProperty(merges, async (merge) => {
        const [host] = clients as [MortalRedis];
        const [first, second] = merge.run.orders;
        await holdMergeToLaw(merge, first, host, 1);
        await holdMergeToLaw(merge, second, host, 8);
        await own.client.flushdb();
      }),
      { numRuns: sampled({ sample: 2, deep: 5, full: 1_000 }), seed, endOnFailure: true },
    );
  });
});
