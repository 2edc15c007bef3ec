import type { BenchContext, Benchmark } from '../harness/context';
import { compare } from '../harness/sample';
import { openSetting } from '../recording/setting';

/** A day of one reader: twelve pages, four praises, two collects, a comment and a follow. */
const actions = [
  ...Array.from({ length: 12 }, (_, i) => `v:/articles/${4_000 + i * 37}`),
  ...Array.from({ length: 4 }, (_, i) => `p:article:${4_000 + i * 37}`),
  ...['c:article:4000', 'c:article:4037', 'm:article:4074', 'f:user:1234'],
];
const users = 200;

/** Bytes of Redis' memory that one user's day of 20 activities takes, against the plainest hash that could hold it. */
export const ledgerMemoryBench: Benchmark = {
  name: 'ledger-memory',
  title: 'memory of a user-day of 20 activities',
  async run({ report }: BenchContext): Promise<void> {
    const setting = await openSetting(0);
    const { redis, ledger, day } = setting;
    try {
      const startMs = day.start.getTime();
      const members = Array.from({ length: users }, (_, i) => `user-${i}`);
      await ledger.apply(
        members.flatMap((member) =>
          actions.map((field, i) => ({
            kind: 'grant' as const,
            member,
            field,
            points: 2,
            occurredAtMs: startMs + i * 60_000,
            sequence: i,
          })),
        ),
      );
      const plain = redis.pipeline();
      for (const member of members) plain.hset(`{plain}:ledger:${member}`, ...actions.flatMap((field) => [field, '1']));
      await plain.exec();
      const bytes = async (pattern: string) => {
        const keys = await redis.keys(pattern);
        const sizes = await Promise.all(keys.map((key) => redis.memory('USAGE', key)));
        return [sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0) / users];
      };
      report(
        await compare(
          () => bytes('{bench:*}:ledger:*'),
          () => bytes('{plain}:ledger:*'),
          {
            setting: `${users} users, fields of 10 to 14 characters`,
            baselineName: 'a hash with the same fields and the value 1',
            metrics: [{ name: ledgerMemoryBench.title, unit: 'bytes', target: null }],
            rounds: 1,
          },
        ),
      );
    } finally {
      await setting.close();
    }
  },
};
