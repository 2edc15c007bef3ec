import { Period, systemClock } from '@laurel/leaderboard';
import { type Activity, ActivityService, Reviews } from '@laurel/activity';
import type { ReportedRings } from '@laurel/reports';
import { commands } from '../../support/run-cli';
import { drawer, shuffled } from '../../support/seed';
import { dayBoard, monthBoard, TinyApp } from '../activity/support';

describe('laurel rings', () => {
  const shards = 3;
  const cli = commands(['rings'], { LAUREL_SHARDS: `${shards}` });
  const { run } = cli;
  const report = (...args: readonly string[]) => cli.json<ReportedRings>(args);
  /** The CLI goes by the machine's clock: what it is to find happens a moment before now. */
  const today = Period.of('day', new Date(systemClock.now()), 'UTC');
  const month = today.key.slice(0, 7);
  const occurredAt = new Date(Math.max(systemClock.now() - 60_000, today.start.getTime()));
  const record = async (activities: readonly (Activity & { readonly revoke?: boolean })[]) => {
    const java = { name: 'java', period: 'month', where: [{ partition: 'category', only: ['java'] }] } as const;
    const app = await TinyApp.start({
      options: { prefix: cli.prefix, shards, leaderboards: [java, dayBoard, monthBoard] },
    });
    await app.nest.get(ActivityService).apply(activities);
  };
  let subjects = 0;
  const praise = (userId: string, ownerId: string, count: number): Activity[] =>
    Array.from({ length: count }, () => ({
      userId,
      action: 'praise',
      subject: `article:${subjects++}`,
      ownerId,
      occurredAt,
    }));
  const cycle = (users: readonly string[], count: number): Activity[] =>
    users.flatMap((user, i) => praise(user, users[(i + 1) % users.length] as string, count + i));
  const setOf = ({ rings }: ReportedRings) => rings.map(({ users }) => [...users].sort().join());

  it('finds planted pairs and rings among random noise, and nothing else', async () => {
    const draw = drawer();
    const people = Array.from({ length: 150 }, (_, i) => `user-${i}`);
    const noise = Array.from({ length: 2_000 }, () => {
      const [from, to] = [draw(people.length), draw(people.length)];
      return from === to ? [] : praise(people[from] as string, people[to] as string, 1);
    }).flat();
    const [long, odd] = ['é'.repeat(60), 'a\n{b}:5:ü'];
    const planted = [
      cycle(['user-1', 'user-2'], 14),
      cycle(['user-10', long, odd], 13),
      cycle(['user-20', 'user-21', 'user-22', 'user-23'], 12),
      cycle(['user-30', 'user-31', 'user-32', 'user-33', 'user-34'], 11),
      cycle(['user-40', 'user-41', 'user-42', 'user-43', 'user-44', 'user-45'], 15),
      praise('user-50', 'user-51', 40),
    ];
    await record(shuffled([...planted.flat(), ...noise]));
    const found = await report('--period', month, '--min', '10');
    expect(setOf(found)).toEqual([
      'user-40,user-41,user-42,user-43,user-44,user-45',
      'user-1,user-2',
      [long, odd, 'user-10'].sort().join(),
      'user-20,user-21,user-22,user-23',
      'user-30,user-31,user-32,user-33,user-34',
    ]);
    expect(found).toMatchObject({ period: month, action: 'praise', min: 10, total: 5, edges: 21, isPartial: false });
    expect(found.rings.map(({ least }) => least >= 11)).toEqual(Array(5).fill(true));
    // Who praises whom, not the other way round.
    const three = found.rings[2]?.users ?? [];
    expect(three[(three.indexOf('user-10') + 1) % 3]).toBe(long);
  });

  it('prints a table, with what a terminal would act upon as JSON has it', async () => {
    await record([...cycle(['ann', 'bob'], 5), ...praise('ann', 'c\u001b[2J', 6), ...praise('c\u001b[2J', 'ann', 5)]);
    const { exitCode, out, err } = await run(['--period', today.key]);
    expect(exitCode).toBe(0);
    expect(out).toBe(
      [
        `${today.key}, ${today.key} to ${today.key}: 3 users, 2 rings of praise from 5 times on`,
        '',
        '  least  users  who to whom',
        '      5      2  ann —5→ bob —6→ ann',
        '      5      2  ann —6→ "c\\u001b[2J" —5→ ann',
        '',
      ].join('\n'),
    );
    expect(err).toContain('Reading: 3 of 3\n');
  });

  it('names those too who are kept off the leaderboards, and marks them', async () => {
    await record(cycle(['ann', 'bob', 'eve'], 5));
    const app = await TinyApp.start({ options: { prefix: cli.prefix, shards } });
    await app.nest.get(Reviews).hold({ userId: 'bob', reason: 'A ring.' });
    const { out } = await run(['--period', today.key]);
    expect(out).toContain(': 3 users, 1 rings of praise from 5 times on');
    expect(out).toContain('ann —5→ bob* —6→ eve —7→ ann\n\n* is kept off the leaderboards\n');
    expect((await report('--period', month)).excluded).toEqual(['bob']);
  });

  it('says what is wrong, and what is possible', async () => {
    await record(praise('ann', 'bob', 1));
    const refused = async (...args: readonly string[]) => {
      const { exitCode, err } = await run(args);
      expect(exitCode).toBe(1);
      return err;
    };
    expect(await refused()).toContain("required option '--period <period>' not specified");
    expect(await refused('--period', '2026-13')).toContain(
      'No leaderboard has a period "2026-13": there are day (day)',
    );
    expect(await refused('--period', '2001-02')).toContain('There are no ledgers of 2001-02: they are kept from ');
    expect(await refused('--period', month, '--min', '0')).toContain('Use a whole number from 1 to 1000000.');
    expect(await refused('--period', month, '--action', 'dance')).toContain(
      'There is no action "dance". Counted are: follow, praise.',
    );
    expect(await refused('--period', month, '--action', 'view')).toContain(
      'The rule of "view" does not count what owners receive: give it grants: [{ "to": "owner", "points": 0 }].',
    );
  });
});
