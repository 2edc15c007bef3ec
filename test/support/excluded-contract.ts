import { Ledger, Period, type RedisClient, type Transition } from '@laurel/leaderboard';
import { runScript } from '@laurel/leaderboard/internals';
import { withBetween } from './between-trips';
import { scripts } from './scripts';
import { keys } from './keys';
import { ManualClock } from './clock';
import { grantsAt, keptBoard } from './ledger';
import { freshPrefix } from './redis';
import { drawer } from './seed';

const noon = Date.parse('2036-11-20T12:00:00Z');
const today = Period.of('day', new Date(noon), 'UTC');
const thisMonth = Period.of('month', new Date(noon), 'UTC');

const grant = grantsAt(noon);

/** What every ledger must do with members who are kept off its boards. */
export function describeExcluded(shards: number, connect: () => RedisClient): void {
  const start = (prefix = freshPrefix()) => {
    const redis = connect();
    const clock = new ManualClock(noon);
    const boards = [
      { ...keptBoard('day', 86_400_000), retentionMs: 31 * 86_400_000 },
      keptBoard('month'),
      { ...keptBoard('all'), name: 'team', partition: 'team' },
    ];
    const ledger = new Ledger(redis, { prefix, shards, clock, boards, ledgerRetentionMs: null });
    return { redis, clock, ledger, prefix };
  };
  const standings = async (ledger: Ledger) =>
    (await ledger.board('day', today).top(1_000)).map(({ member, score, rank }) => `${member} ${score} ${rank}`);

  it('takes a member off every board at once, and restores them where they would stand', async () => {
    const { ledger, clock } = start();
    const members = ['ann', 'bob', 'cho'];
    for (const [i, member] of members.entries()) {
      await ledger.apply([grant(member, 'a', { points: 10 - i, partitions: { team: `of ${member}` } })]);
    }
    const before = await ledger.board('day', today).top(10);
    expect(await ledger.excluded.move('ann', 'aside')).toBe(true);
    expect(await standings(ledger)).toEqual(['bob 9 1', 'cho 8 2']);
    expect(await ledger.board('month', thisMonth).size()).toBe(2);
    expect(await ledger.board('team', Period.of('all', new Date(noon), 'UTC'), 'of ann').size()).toBe(0);
    expect(await ledger.board('day', today).entry('ann')).toBeNull();
    expect(await ledger.aside('day', today).top(10)).toEqual(before.slice(0, 1));
    expect([await ledger.excluded.has('ann'), await ledger.excluded.has('bob')]).toEqual([true, false]);

    expect(await ledger.excluded.move('ann', 'onBoards')).toBe(true);
    expect(await ledger.board('day', today).top(10)).toEqual(before);
    expect(await ledger.aside('day', today).size()).toBe(0);
    expect(await ledger.excluded.has('ann')).toBe(false);
    clock.advance(1);
    await ledger.apply([grant('ann', 'b', { partitions: { team: 'of ann' } })]);
    expect(await ledger.board('team', Period.of('all', new Date(noon), 'UTC'), 'of ann').score('ann')).toBe(11);
  });

  it('writes the member’s grants and revokes beside the boards meanwhile, on new boards as well', async () => {
    const { ledger, clock } = start();
    await ledger.apply([grant('ann', 'a', { points: 5 }), grant('ann', 'b', { points: 2 }), grant('bob', 'a')]);
    await ledger.excluded.move('ann', 'aside');
    const [granted, revoked] = await ledger.apply([
      grant('ann', 'c', { points: 3, occurredAtMs: noon + 1 }),
      grant('ann', 'a', { kind: 'revoke', occurredAtMs: noon + 2 }),
    ]);
    expect(granted).toMatchObject({ outcome: 'granted', scores: { day: 10, month: 10 } });
    expect(revoked).toMatchObject({ outcome: 'revoked', points: -5, scores: { day: 5 } });
    clock.set(noon + 86_400_000);
    await ledger.apply([grant('ann', 'd', { occurredAtMs: clock.now(), partitions: { team: 'new' } })]);
    const tomorrow = ledger.periods.of('day');
    expect(await ledger.board('day', tomorrow).size()).toBe(0);
    expect(await standings(ledger)).toEqual(['bob 1 1']);
    await ledger.excluded.move('ann', 'onBoards');
    expect(await standings(ledger)).toEqual(['ann 5 1', 'bob 1 2']);
    expect(await ledger.board('day', tomorrow).score('ann')).toBe(1);
    expect(await ledger.board('month', thisMonth).score('ann')).toBe(6);
    expect(await ledger.board('team', Period.of('all', new Date(noon), 'UTC'), 'new').score('ann')).toBe(1);
  });

  it('says of each of the member’s transitions that the member is excluded, and of nobody else’s', async () => {
    const { ledger } = start();
    await ledger.apply([grant('ann', 'a'), grant('bob', 'a'), grant('cho', 'a')]);
    await ledger.excluded.move('ann', 'aside');
    const call = [
      grant('bob', 'b'),
      grant('ann', 'a', { occurredAtMs: noon + 1 }),
      grant('cho', 'b'),
      grant('ann', 'b', { kind: 'revoke' }),
      grant('ann', 'c', { points: 2 }),
    ];
    const told = async () =>
      (await ledger.apply(call)).map(({ outcome, excluded }) => `${outcome}${excluded ? ' aside' : ''}`);
    expect(await told()).toEqual(['granted', 'duplicate aside', 'granted', 'notGranted aside', 'granted aside']);
    await ledger.periods.freeze('day', today);
    expect((await told()).map((one) => one.endsWith('aside'))).toEqual([false, true, false, true, true]);
    await ledger.excluded.move('ann', 'onBoards');
    expect((await told()).filter((one) => one.endsWith('aside'))).toEqual([]);
  });

  it('never lets a revoke take what lies on a board that is not moved yet below what the ledger says', async () => {
    const { redis, ledger, prefix } = start();
    await ledger.apply([grant('ann', 'a', { points: 5 }), grant('ann', 'b', { points: 2 })]);
    // What is left of a move that died behind its first step.
    const tag = ledger.settings.tags[ledger.shardOf('ann')] as string;
    const named = { excluded: keys.excluded(prefix, tag), changes: keys.changes(prefix, tag) };
    const state = { ...named, erased: keys.erased(prefix, tag), claims: keys.claims(prefix, tag), boards: [] };
    const left = { member: 'ann', step: 'begin', nowMs: noon, waits: 0 };
    await runScript(redis, scripts.excludeMember, state, { ...left, state: 1 });
    await ledger.apply([grant('ann', 'a', { kind: 'revoke', occurredAtMs: noon + 1 })]);
    expect(await standings(ledger)).toEqual([]);
    expect(await ledger.aside('day', today).score('ann')).toBe(2);
    await runScript(redis, scripts.excludeMember, state, { ...left, state: 0 });
    await ledger.apply([grant('ann', 'c', { points: 4, occurredAtMs: noon + 2 })]);
    expect(await standings(ledger)).toEqual(['ann 6 1']);
    expect(await ledger.aside('day', today).size()).toBe(0);
    await ledger.excluded.move('ann', 'aside');
    expect(await ledger.aside('month', thisMonth).score('ann')).toBe(6);
  });

  it('gives way to a move to the other place that came between, at whichever step', async () => {
    const moved = new Set<boolean>();
    for (let trip = 1, isDone = true; isDone; trip++) {
      const { redis, ledger } = start();
      await ledger.apply([grant('ann', 'a')]);
      await ledger.excluded.move('ann', 'aside');
      isDone = false;
      const work = () => {
        isDone = true;
        return ledger.excluded.move('ann', 'aside');
      };
      const isMoved = await withBetween(redis, { trip, work }, () => ledger.excluded.move('ann', 'onBoards'));
      moved.add(isMoved);
      const sizes = [await ledger.board('day', today).size(), await ledger.aside('day', today).size()];
      expect(sizes).toEqual(isMoved ? [1, 0] : [0, 1]);
    }
    expect(moved).toEqual(new Set([true, false]));
  });

  it('keeps to the moment at which a board expires, on the board and beside it', async () => {
    const { redis, ledger } = start();
    await ledger.apply([grant('ann', 'a')]);
    const { keys: boards, asideKeys, expireAtMs } = ledger.periods.boardPeriod('day', today, null);
    const shard = ledger.shardOf('ann');
    await ledger.excluded.move('ann', 'aside');
    expect(await redis.pexpiretime(asideKeys[shard] as string)).toBe(expireAtMs);
    await ledger.apply([grant('ann', 'b')]);
    await ledger.excluded.move('ann', 'onBoards');
    expect(await redis.exists(asideKeys[shard] as string)).toBe(0);
    expect(await redis.pexpiretime(boards[shard] as string)).toBe(expireAtMs);
  });

  it('leaves frozen boards as they are but for the member’s entry', async () => {
    const { ledger } = start();
    await ledger.apply([grant('ann', 'a', { points: 2 }), grant('bob', 'a')]);
    await ledger.periods.freeze('day', today);
    await ledger.excluded.move('ann', 'aside');
    const [late] = await ledger.apply([grant('ann', 'b')]);
    expect(late).toMatchObject({ outcome: 'granted', scores: { month: 3 }, boards: { day: 'closed' } });
    expect(await standings(ledger)).toEqual(['bob 1 1']);
    await ledger.excluded.move('ann', 'onBoards');
    expect(await standings(ledger)).toEqual(['ann 2 1', 'bob 1 2']);
  });

  it('ends with the boards that nobody was ever kept off, whatever was moved while points came and went', async () => {
    const draw = drawer();
    const one = start();
    const control = start();
    const members = ['ann', 'bob', '{x}:1', 'a\nb', '🙂', '"', '-inf'];
    const teams = ['red', 'blue'];
    const writers = Array.from({ length: 4 }, () => start(one.prefix).ledger);
    for (let round = 0; round < 15; round++) {
      const transitions = Array.from({ length: 40 }, (_, i) => {
        const member = members[draw(members.length)] as string;
        const occurredAtMs = noon - 3_600_000 + round * 1_000 + i;
        return grant(member, `${draw(6)}`, {
          kind: draw(3) === 0 ? 'revoke' : 'grant',
          points: 1 + draw(4),
          occurredAtMs,
          partitions: { team: teams[members.indexOf(member) % 2] as string },
        });
      });
      await control.ledger.apply(transitions);
      // One writer sends all transitions of a member, so that they arrive in one order.
      const shares = writers.map((_, w) => transitions.filter(({ member }) => members.indexOf(member) % 4 === w));
      const moves = Array.from({ length: 4 }, () => [members[draw(members.length)], draw(2)] as const);
      await Promise.all([
        ...writers.map((writer, w) => writer.apply(shares[w] as Transition[])),
        ...moves.map(([member, aside]) => one.ledger.excluded.move(member as string, aside ? 'aside' : 'onBoards')),
      ]);
      // Who is kept off is on no board, and the two together are everyone.
      const lines = async (board: { walk(size: number): AsyncIterable<unknown[]> }) => {
        const all: unknown[] = [];
        for await (const page of board.walk(100)) all.push(...page);
        return all;
      };
      expect(await lines(one.ledger.everyone('day', today))).toEqual(
        await lines(control.ledger.everyone('day', today)),
      );
    }
    for (const member of members) await one.ledger.excluded.move(member, 'onBoards');
    for (const [board, period, part] of [
      ['day', today, null],
      ['month', thisMonth, null],
      ['team', Period.of('all', new Date(noon), 'UTC'), 'red'],
      ['team', Period.of('all', new Date(noon), 'UTC'), 'blue'],
    ] as const) {
      const expected = await control.ledger.board(board, period, part).top(100);
      expect(await one.ledger.board(board, period, part).top(100)).toEqual(expected);
      expect(await one.ledger.aside(board, period, part).size()).toBe(0);
    }
  });
}
