import {
  Period,
  Resharding,
  type Ledger,
  type LedgerOptions,
  type RedisClient,
  type TransitionLimit,
} from '@laurel/leaderboard';
import { adjustmentField } from '@laurel/leaderboard/internals';
import { keys } from './keys';
import { keysLike } from './keys-like';
import { dayMs, ManualClock } from './clock';
import { auditOf } from './differences';
import { LawfulLedger, type LawfulTransition } from './lawful-ledger';
import { grantsAt, keptBoard } from './ledger';
import { mentions } from './mentions';
import { freshPrefix } from './redis';
import { drawer } from './seed';

const noon = Date.parse('2036-11-20T12:00:00Z');
const today = Period.of('day', new Date(noon), 'UTC');
const refused = { outcome: 'rejected', points: 0, scores: {}, reason: 'erased' };

/** A member nobody would call so, who must not reach another's keys. */
const hostile = '{lr:1-0}:*[a-z]?\\:\n\0💥"';

const grant = grantsAt(noon);

const limits: readonly TransitionLimit[] = [
  { name: 'day-grants', type: 'daily', max: 4, of: 'grants' },
  { name: 'often', type: 'sliding', max: 3, windowMs: 1_000, per: 'member' },
  { name: 'pairs', type: 'sliding', max: 2, windowMs: dayMs, per: 'pair' },
];

/** What every ledger must do with members who were erased and come again. */
export function describeErased(shards: number, connect: () => RedisClient): void {
  const start = (options: Partial<LedgerOptions> = {}) => {
    const redis = connect();
    const clock = new ManualClock(noon);
    const prefix = freshPrefix();
    const ledger = new LawfulLedger(redis, {
      prefix,
      shards,
      clock,
      boards: [keptBoard('day'), keptBoard('month')],
      keepsFirstDays: true,
      ledgerRetentionMs: 10 * dayMs,
      ...options,
    });
    return { redis, clock, ledger, prefix };
  };

  it.each(['ann', hostile])('refuses all that comes again of %j, and keeps nothing of it', async (ann) => {
    const { redis, ledger, prefix } = start();
    const all = (member: string): LawfulTransition[] => [
      grant(member, 'a'),
      grant(member, 'late', { occurredAtMs: noon - dayMs }),
      grant(member, 'limited', { limits, counterpart: 'bob' }),
      grant(member, 'once', { onceInDays: 3 }),
      grant(member, 'a', { kind: 'revoke', occurredAtMs: noon + 1 }),
      grant(member, 'b', { kind: 'revoke', grantedAtMs: noon, occurredAtMs: noon + 1 }),
      grant(member, adjustmentField('x'), { kind: 'adjust', note: 'a reason', points: 5 }),
    ];
    await ledger.apply([...all(ann), ...all('bob')]);
    expect((await mentions(redis, prefix, ann)).length).toBeGreaterThan(5);
    await ledger.erasure.erase(ann);
    expect(await mentions(redis, prefix, ann)).toEqual([]);
    for (const transition of all(ann)) {
      const [result] = await ledger.apply([transition]);
      expect(result).toMatchObject(refused);
      expect(new Set(Object.values(result?.boards ?? {}))).toEqual(new Set(['refused']));
    }
    for (const result of await ledger.apply(all(ann))) expect(result).toMatchObject(refused);
    expect(await ledger.excluded.move(ann, 'aside')).toBe(true);
    expect(await mentions(redis, prefix, ann)).toEqual([]);
    expect(await ledger.erasure.among(['bob', ann])).toEqual(new Set([ann]));
  });

  it('judges everybody else as if the erased had sent nothing, whatever the batch', async () => {
    const draw = drawer();
    for (let run = 0; run < 12; run++) {
      const { ledger } = start();
      const twin = start().ledger;
      const members = ['ann', 'bob', 'cho', 'dan', 'eve'];
      for (const one of ['ann', 'dan']) await ledger.erasure.erase(one);
      for (let call = 0; call < 4; call++) {
        const batch = Array.from({ length: 1 + draw(40) }, (): LawfulTransition => {
          const kind = draw(8);
          const at = { occurredAtMs: noon - draw(3) * dayMs + draw(5) };
          const n = draw(6);
          const law = n < 3 ? { limits, counterpart: `z${draw(2)}` } : n === 3 ? { onceInDays: 2 } : {};
          const one = grant(members[draw(5)] as string, `f${n}`, { ...at, ...law });
          if (kind === 0) return { ...one, kind: 'revoke' };
          if (kind === 1) return { ...one, kind: 'revoke', grantedAtMs: at.occurredAtMs };
          if (kind === 2)
            return {
              ...one,
              kind: 'adjust',
              field: adjustmentField(`x${draw(9)}`),
              note: 'a reason',
              points: draw(9) - 4 || 1,
            };
          return one;
        });
        const mine = await ledger.apply(batch);
        const isErased = ({ member }: LawfulTransition) => member === 'ann' || member === 'dan';
        const others = batch.filter((one) => !isErased(one));
        for (const one of mine.filter((_, i) => isErased(batch[i] as LawfulTransition))) {
          expect(one).toMatchObject({ outcome: 'rejected', reason: 'erased' });
        }
        expect(mine.filter((_, i) => !isErased(batch[i] as LawfulTransition))).toEqual(await twin.apply(others));
      }
      for (const board of ['day', 'month']) {
        const shown = (of: Ledger) => of.board(board, of.periods.of(board)).top(10);
        expect(await shown(ledger)).toEqual(await shown(twin));
      }
    }
  });

  it('refuses what others are granted where its field names the erased, and names them as no owner', async () => {
    const { redis, ledger, prefix } = start();
    const naming: LawfulTransition[] = [
      grant('bob', 'f:user:ann', { names: ['ann'] }),
      grant('cho', 'f:user:bob', { names: ['bob', 'ann'] }),
      grant('cho', 'g:user:bob', { names: ['ann', 'bob'] }),
      grant('dan', 'p:1', { limits, counterpart: 'ann' }),
    ];
    await ledger.erasure.erase('ann');
    const results = await ledger.apply([
      grant('bob', 'f:user:cho', { names: ['cho'] }),
      ...naming,
      grant('bob', 'p:2', { limits, counterpart: 'cho' }),
    ]);
    expect(results.map(({ outcome }) => outcome)).toEqual([
      'granted',
      'rejected',
      'rejected',
      'rejected',
      // What is done to what was theirs is the own of who does it, and names no owner.
      'granted',
      'granted',
    ]);
    expect(await mentions(redis, prefix, 'ann')).toEqual([]);
    expect(await ledger.board('day', today).score('bob')).toBe(2);
  });

  it('refuses them until nothing of before can count any more, and then a new member of the same name', async () => {
    const { redis, clock, ledger, prefix } = start({ ledgerRetentionMs: 3 * dayMs, clockSkewMs: 60_000 });
    await ledger.erasure.erase('ann');
    const before = grant('ann', 'old');
    const endMs = Date.parse('2036-11-21T00:00:00Z') + 3 * dayMs;
    clock.set(endMs - 1);
    expect((await ledger.apply([before]))[0]).toMatchObject({ outcome: 'rejected', reason: 'erased' });
    clock.set(endMs + 2 * 60_000);
    const [late, now] = await ledger.apply([before, grant('ann', 'new', { occurredAtMs: clock.now() })]);
    expect([late?.outcome, now?.outcome]).toEqual(['closed', 'granted']);
    expect(await ledger.erasure.among(['ann'])).toEqual(new Set());
    // The list goes with its last member.
    const expiries = ledger.settings.tags.map((tag) => redis.pexpiretime(keys.erased(prefix, tag)));
    expect(new Set(await Promise.all(expiries))).toEqual(new Set([endMs + 2 * 60_000]));
  });

  it('refuses them for good where ledgers are kept for good, and lets them in again when it is told to', async () => {
    const { redis, clock, ledger, prefix } = start({ ledgerRetentionMs: null });
    await ledger.erasure.erase('ann');
    await ledger.erasure.erase('bob');
    clock.advance(1_000 * dayMs);
    const again = (member: string) => grant(member, 'again', { occurredAtMs: clock.now() });
    expect((await ledger.apply([again('ann')]))[0]).toMatchObject({ outcome: 'rejected', reason: 'erased' });
    expect([await ledger.erasure.readmit('ann'), await ledger.erasure.readmit('ann')]).toEqual([true, false]);
    const [ann, bob] = await ledger.apply([again('ann'), again('bob')]);
    expect([ann?.outcome, bob?.outcome]).toEqual(['granted', 'rejected']);
    await ledger.erasure.readmit('bob');
    const lists = ledger.settings.tags.map((tag) => redis.exists(keys.erased(prefix, tag)));
    expect(new Set(await Promise.all(lists))).toEqual(new Set([0]));
  });

  it('names nobody: the list has digests, and those of another prefix are others', async () => {
    const [one, other] = [start(), start()];
    const listed = async ({ redis, ledger, prefix }: typeof one) => {
      await ledger.erasure.erase('42');
      const list = await redis.zrange(keys.erased(prefix, ledger.settings.tags[0] as string), '0', '-1');
      expect(list).toHaveLength(2);
      return list;
    };
    const [mine, others] = [await listed(one), await listed(other)];
    expect(mine.filter((text) => others.includes(text))).toEqual([]);
    expect(mine.concat(others).filter((text) => text.includes('42') && text.length < 24)).toEqual([]);
  });

  it('leaves nothing of who is erased while transitions of theirs arrive all the time', async () => {
    const { redis, ledger, prefix } = start();
    const outcomes = new Set<string>();
    let isOver = false;
    const arrive = async (from: number) => {
      for (let i = from; !isOver; i += 4) {
        const named = grant('bob', `f:user:ann:${i}`, { names: ['ann'] });
        for (const { outcome } of await ledger.apply([grant('ann', `f${i}`), named])) outcomes.add(outcome);
      }
    };
    const arriving = [0, 1, 2, 3].map(arrive);
    for (let i = 0; !outcomes.has('granted'); i++) await ledger.apply([grant('cho', `c${i}`)]);
    await ledger.erasure.erase('ann', {
      nameless: '#',
      texts: ['ann'],
      textsIn: (field) => (field.startsWith('f:user:ann') ? ['ann'] : []),
      pieces: ['f:user:ann'],
      renamed: (field) => (field.startsWith('f:user:ann') ? field.replace('ann', '#') : null),
    });
    isOver = true;
    await Promise.all(arriving);
    expect(await mentions(redis, prefix, 'ann')).toEqual([]);
    expect(await ledger.board('day', today).entry('ann')).toBeNull();
  });

  it('are named no more by what others gave them, or got from them: today, on packed days, for ever and in pages', async () => {
    const { redis, clock, ledger, prefix } = start({ ledgerRetentionMs: null });
    const gift = { member: 'ann', points: 1 };
    const isOne: TransitionLimit = { name: 'one', type: 'daily', max: 1, of: 'grants' };
    const givers = Array.from({ length: 140 }, (_, i) => `g${i}`);
    for (const [round, days] of [40, 0].entries()) {
      const own = (member: string, field: string, change: Partial<LawfulTransition>) =>
        grant(member, `${field}${round}`, { occurredAtMs: clock.now(), ...change });
      await ledger.apply([
        own('bob', 'given', { gift }),
        own('bob', 'once', { gift, onceInDays: Infinity }),
        own('bob', 'first', { gift, limits: [isOne] }),
        own('bob', 'second', { gift, limits: [isOne] }),
        own('bob', 'pair', { counterpart: 'ann', limits: [{ ...limits[2], max: 1 } as TransitionLimit] }),
        own('cho', 'back', { gift }),
        own('cho', 'back', { kind: 'revoke' }),
        own('ann', 'thank', { gift: { member: 'bob', points: 2 } }),
      ]);
      await ledger.apply(
        givers.flatMap((giver) => [
          own(giver, 'praise', { gift }),
          own(giver, 'hail', { gift: { ...gift, member: 'hub' } }),
        ]),
      );
      await ledger.apply([own('ann', 'hail', { gift: { member: 'hub', points: 7 } })]);
      clock.advance(days * dayMs);
      await ledger.pack();
    }
    expect(await keysLike(redis, `{${prefix}:*}:old:*`)).toHaveLength(givers.length + 4);
    const shown = async () => {
      const all = await ledger.board('month', ledger.periods.of('month', noon)).top(999);
      return all.filter(({ member }) => member !== 'ann').map(({ member, score }) => [member, score]);
    };
    const before = await shown();
    expect(before[0]).toEqual(['hub', 147]);
    // An old day counts once; what counts once for ever lies beside its day.
    const { named } = await ledger.erasure.erase('ann');
    expect(named).toBe(292);
    expect(await mentions(redis, prefix, 'ann')).toEqual([]);
    expect(await shown()).toEqual(before);
    expect(await auditOf(redis, ledger)).toEqual({ differences: [], gaps: [] });
    expect(await ledger.erasure.erase('ann')).toEqual({ boards: 0, rolling: 0, ledgers: 0, lists: 0, named: 0 });
    // What comes again finds the facts as they were.
    const [again] = await ledger.apply([grant('bob', 'given1', { occurredAtMs: clock.now(), gift })]);
    expect(again).toMatchObject({ outcome: 'duplicate', points: 0 });
    expect(await mentions(redis, prefix, 'ann')).toEqual([]);
  });

  it('refuses them also where members have moved to another number of shards since', async () => {
    const { redis, ledger, prefix } = start();
    await ledger.prepare();
    await ledger.apply([grant('ann', 'a'), grant('bob', 'a')]);
    await ledger.erasure.erase('ann');
    await new Resharding(redis, { prefix, shards: shards + 2, graceMs: 10 }).run();
    for (let i = 0; i < 40; i++) {
      // In every one of the new shards.
      const [named] = await ledger.apply([grant(`m${i}`, 'f:user:ann', { names: ['ann'] })]);
      expect(named).toMatchObject({ outcome: 'rejected', reason: 'erased' });
    }
    const [ann, bob] = await ledger.apply([grant('ann', 'b'), grant('bob', 'b')]);
    expect([ann?.outcome, bob?.outcome]).toEqual(['rejected', 'granted']);
    expect(ledger.shards).toBe(shards + 2);
    expect(await ledger.erasure.readmit('ann')).toBe(true);
    expect((await ledger.apply([grant('ann', 'b')]))[0]?.outcome).toBe('granted');
  });
}
