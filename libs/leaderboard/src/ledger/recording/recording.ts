import { chunksOf } from '../../lists/lists';
import { unavailable } from '../../errors/errors';
import { keys } from '../../keys/keys';
import { guarded, MembersMovedError } from '../sharding/guard';
import { loadScript, runScript } from '../../redis/run';
import { sendTogether, type Command } from '../../redis/send';
import { scripts } from '../../scripts/scripts.generated';
import { shardOf } from '../../keys/shard';
import { whenAll } from '../../redis/when-all';
import { BoardAnswers } from './board-answers';
import type { Transition, TransitionResult } from '../model/ledger.types';
import { partsFor } from '../facts/adjustment';
import type { LedgerContext } from '../periods/ledger-context';
import type { TermsRegister } from '../settings/terms';
import { Deliberation } from './deliberation';
import { GrantCall } from './grant-call';
import { judgingAt } from './reading';
import type { Owed } from './judge';
import type { MemberCase } from './member-case';
import { holdKinds, partsOf, type AnyTransition, type GiftTransition, type OpenTransition } from './planned';
import { checkTransition } from './transition-checks';

/** The most transitions in one call: a longer one would keep other clients of that Redis waiting. */
const maxTransitionsPerCall = 500;

type GiftResult = NonNullable<TransitionResult['gift']>;

/** Judges transitions, call by call, and moves ledgers and boards. */
export class Recording {
  /** What this process judges of a member is judged in turn: only other processes come in between. */
  private readonly latest = new Map<string, Promise<unknown>>();
  /** How many merges judge. */
  private merges = 0;

  constructor(
    private readonly context: LedgerContext,
    private readonly terms: TermsRegister,
  ) {}

  /** Brings the scripts to every server. */
  async load(): Promise<void> {
    await whenAll(
      [guarded(scripts.recordGrants), guarded(scripts.commitFacts), scripts.readFieldDays].map((script) =>
        loadScript(this.context.redis, script),
      ),
    );
  }

  /** As `Ledger.apply`. */
  async apply(transitions: readonly Transition[]): Promise<TransitionResult[]> {
    transitions.forEach(checkTransition);
    return this.judgeByShard(transitions);
  }

  /** As `Ledger.payOwed`. */
  async payOwed(beforeMs: number, signal?: AbortSignal): Promise<void> {
    const { redis, settings } = this.context;
    const { prefix, tags } = settings;
    for (const tag of tags) {
      const owing = keys.owing(prefix, tag);
      let members: string[];
      do {
        members = await redis.zrange(owing, '-inf', String(beforeMs), 'BYSCORE', 'LIMIT', 0, 100);
        const read = members.map((member): Command => ['hvals', keys.owed(prefix, tag, member)]);
        const notes = (await sendTogether(redis, read)) as string[][];
        const owedBy = (i: number) => (notes[i] ?? []).map((text) => JSON.parse(text) as Owed);
        await this.give(members.map((member, i) => ({ member, owed: owedBy(i) })));
        // What was paid while its giver came to another shard has left the name alone.
        for (const [i, member] of members.entries()) if (notes[i]?.length === 0) await this.settle(member, []);
      } while (members.length === 100 && !signal?.aborted);
    }
  }

  /** Judges what a merge takes over, kept where no board is open, too, or what it ends. */
  async merge(transitions: readonly AnyTransition[], isTaken: boolean): Promise<void> {
    this.merges += 1;
    try {
      for (const some of chunksOf(transitions, 64)) await this.judgeByShard(some.map((one) => ({ ...one, isTaken })));
    } finally {
      this.merges -= 1;
    }
  }

  private judgeByShard(transitions: readonly AnyTransition[]): Promise<TransitionResult[]> {
    const members = transitions.map(({ member }) => member);
    const own = (places: readonly number[]) => places.map((place) => transitions[place] as AnyTransition);
    return this.context.ofShards(members, (shard, _, places) => this.applyToShard(shard, own(places)));
  }

  /** As `Ledger.applyToShard`. */
  async applyToShard(shard: number, transitions: readonly AnyTransition[]): Promise<TransitionResult[]> {
    const { settings, inForce } = this.context;
    if (transitions.length > maxTransitionsPerCall) {
      const results: TransitionResult[] = [];
      for (const some of chunksOf(transitions, maxTransitionsPerCall))
        results.push(...(await this.applyToShard(shard, some)));
      return results;
    }
    // They may have been put together when members were spread over another number of shards.
    if (inForce.hasMoved && transitions.some(({ member }) => shardOf(member, settings.tags.length) !== shard))
      return this.judgeByShard(transitions);
    const { tags } = settings;
    try {
      return await this.judgeNow(shard, transitions);
    } catch (error) {
      // A merge pins the number of shards: nothing waits here for the end of that.
      if (this.merges > 0 || !(error instanceof MembersMovedError)) throw error;
      await inForce.sync();
      if (tags === settings.tags) throw error;
      return this.judgeByShard(transitions);
    }
  }

  private async judgeNow(shard: number, transitions: readonly AnyTransition[]): Promise<TransitionResult[]> {
    const { settings, registry, members } = this.context;
    const version = this.terms.known ?? (await this.terms.register());
    const nowMs = settings.clock.now();
    const results: (TransitionResult | null)[] = transitions.map(() => null);
    const asked: OpenTransition[] = [];
    transitions.forEach((transition, index) => {
      const early = this.askedOf(transition, { index, version, nowMs });
      if ('outcome' in early) results[index] = early;
      else asked.push(early);
    });
    if (asked.length === 0) return results as TransitionResult[];
    const judging = judgingAt(this.context, nowMs, shard);
    const plain = new GrantCall(judging);
    const others = this.divided(asked, plain);
    const sets = [...new Set(asked.map(({ set }) => set))];
    const noted = registry.note(sets.flatMap(({ periods }) => periods.filter((one) => nowMs < one.closesAtMs)));
    const deliberate = async (some: readonly OpenTransition[]): Promise<void> => {
      if (some.length === 0) return;
      const deliberation = new Deliberation(this.context, judging);
      const concerned = new Set(some.map(({ transition }) => transition.member));
      const cases = await this.inTurn(concerned, () => deliberation.run(some));
      for (const one of cases) for (const [index, result] of one.results) results[index] = result;
      await this.giveAll(cases, results);
    };
    const record = async (): Promise<void> => {
      const plan = plain.plan();
      const concerned = { tag: judging.tag, members: plain.members };
      const reply = await members.run(scripts.recordGrants, plain.keys(), { plan }, concerned);
      const left = plain.read(reply as string, (index, result) => (results[index] = result));
      await this.giveNow(plain, results);
      await deliberate(left);
    };
    await whenAll<unknown>([
      plain.isEmpty ? Promise.resolve() : record(),
      deliberate(others),
      ...(noted ? [noted] : []),
    ]);
    return results as TransitionResult[];
  }

  /** Lets work that concerns the same members run one after the other, in the order in which it was asked for. */
  private async inTurn<T>(members: ReadonlySet<string>, work: () => Promise<T>): Promise<T> {
    const before = [...members].flatMap((member) => this.latest.get(member) ?? []);
    const own = Promise.allSettled(before).then(work);
    for (const member of members) this.latest.set(member, own);
    try {
      return await own;
    } finally {
      for (const member of members) if (this.latest.get(member) === own) this.latest.delete(member);
    }
  }

  /** Takes what may only append; gives what is read and judged: all of a member, where anything of theirs is. */
  private divided(asked: readonly OpenTransition[], plain: GrantCall): OpenTransition[] {
    const judged = new Set<string>();
    for (const one of asked) if (!plain.mayTake(one)) judged.add(one.transition.member);
    for (const one of asked) if (!judged.has(one.transition.member)) plain.take(one);
    return judged.size === 0 ? [] : asked.filter(({ transition }) => judged.has(transition.member));
  }

  /** Gives owners what stands without being judged: no note is kept, a repeat of the call gives it again. */
  private async giveNow({ gifts }: GrantCall, results: (TransitionResult | null)[]): Promise<void> {
    if (gifts.length === 0) return;
    const given = await this.give(
      gifts.map(({ asked: { transition, name, day, version, gift, parts }, since }) => {
        const at = { day: day.number, name, owner: gift?.member ?? '', turn: 0, version, parts };
        return { member: transition.member, owed: [{ ...at, points: gift?.points ?? 0, since, isNew: false }] };
      }),
    );
    gifts.forEach(({ asked: { index, name } }, i) => {
      results[index] = { ...results[index], gift: given[i]?.get(name) } as TransitionResult;
    });
  }

  /** Gives owners what cases owe them, and says so in the results. */
  private async giveAll(cases: readonly MemberCase[], results: (TransitionResult | null)[]): Promise<void> {
    const gifts = await this.give(cases.map(({ view: { member }, owed }) => ({ member, owed })));
    cases.forEach((one, i) => {
      for (const [name, gift] of gifts[i] ?? []) {
        const gains = one.gainsOf(name);
        // The owner is given what all of them come to: each is told its own part, the last what is left of it.
        let left = gift.points;
        gains.forEach(({ index, days, points: own }, at) => {
          const points = at === gains.length - 1 ? left : own;
          left -= points;
          const outcome: GiftResult['outcome'] = days > 0 ? 'granted' : days < 0 ? 'revoked' : 'duplicate';
          const told = gains.length === 1 ? gift : { ...gift, outcome, points };
          const result = results[index];
          if (result) results[index] = { ...result, gift: told };
        });
      }
    });
  }

  /** Gives owners what members owe them, and forgets what was noted of it; of each, by field, what became of it. */
  private async give(
    debts: readonly { readonly member: string; readonly owed: readonly Owed[] }[],
  ): Promise<Map<string, GiftResult>[]> {
    const gifts = debts.flatMap(({ member, owed }) => owed.map((one) => this.giftOf(member, one)));
    if (gifts.length === 0) return [];
    const results = (await this.judgeGifts(gifts)).values();
    return whenAll(
      debts.map(async ({ member, owed }) => {
        const given = new Map<string, GiftResult>();
        for (const { name, owner } of owed) {
          const { outcome, points, scores } = results.next().value as TransitionResult;
          given.set(name, together({ member: owner, outcome, points, scores }, given.get(name)));
        }
        const notes = owed
          .filter(({ isNew }) => isNew)
          .flatMap((one) => [`${one.day} ${one.name}`, JSON.stringify(one)]);
        if (notes.length > 0) await this.settle(member, notes);
        return given;
      }),
    );
  }

  /** Forgets what a member owes no more, and the member who owes nothing. */
  private async settle(member: string, notes: readonly string[]): Promise<void> {
    const [{ prefix }, tag] = [this.context.settings, this.context.tagOf(member)];
    const own = { owed: keys.owed(prefix, tag, member), owing: keys.owing(prefix, tag) };
    await runScript(this.context.redis, scripts.settleOwed, own, { member, notes });
  }

  /** Givers' facts are written by then: where owners are just being moved, the call is repeated by its caller alone. */
  private async judgeGifts(gifts: readonly GiftTransition[]): Promise<TransitionResult[]> {
    try {
      return await this.judgeByShard(gifts);
    } catch (cause) {
      if (!(cause instanceof MembersMovedError)) throw cause;
      throw unavailable('Owners are being moved to other shards. Repeat the call: it gives them their points.', {
        cause,
      });
    }
  }

  private giftOf(member: string, { day, name, owner, turn, points, version, since, parts }: Owed): GiftTransition {
    const { field, texts } = this.context.settings.fieldNames.gift(member, name);
    const at = this.context.calendar.dayNumbered(day);
    return {
      ...{ kind: 'gift', member: owner, field, points, version, turn, day, stands: since !== null },
      ...{ occurredAtMs: since?.ms ?? at?.startMs ?? 0, sequence: since?.sequence ?? 0 },
      ...(parts && { partitions: parts }),
      ...{ names: [member], namedAs: texts },
      // Where the field does not tell it: an erasure of the owner asks for the giver.
      ...(this.context.settings.fieldNames.giver(field) === null && { counterpart: member }),
    };
  }

  /** The result of what its time alone decides; else what it asks. */
  private askedOf(
    transition: AnyTransition,
    { index, version: current, nowMs }: { readonly index: number; readonly version: number; readonly nowMs: number },
  ): TransitionResult | OpenTransition {
    const { calendar, settings } = this.context;
    const { occurredAtMs, grantedAtMs, partitions, version = current, isTaken = false } = transition;
    const { sequence = 0, gift = null, counterpart: owner, board } = transition;
    const name = transition.kind === 'adjust' ? transition.field : settings.fieldNames.short(transition.field);
    const law = settings.laws.of(name, version);
    const isMeant = (one: string) => !isTaken || settings.boardNames.includes(one);
    const names = board === undefined ? law.boards : [board].filter(isMeant);
    const of = 'day' in transition ? calendar.dayNumbered(transition.day) : null;
    const day = of ?? calendar.dayOf(grantedAtMs ?? occurredAtMs);
    // What an owner has no more counted in any hour of its day.
    const isEnd = transition.kind === 'gift' && !transition.stands && nowMs < day.ledgerClosesAtMs;
    const isOfAnyDay = isTaken || isEnd || holdKinds.includes(transition.kind);
    // What counts once for ever was perhaps given on another day.
    const atMs = Math.min(Math.max(grantedAtMs ?? occurredAtMs, day.startMs), day.endMs - 1);
    const set = calendar.boardsOf(day, atMs, names, partsFor(name, partitions));
    if (
      transition.kind !== 'gift' &&
      !isOfAnyDay &&
      Math.max(occurredAtMs, grantedAtMs ?? 0) > nowMs + settings.clockSkewMs
    ) {
      const { boards } = new BoardAnswers(set, set.periods, nowMs).of('rejected');
      return { outcome: 'rejected', points: 0, scores: {}, boards, reason: 'future' };
    }
    const parts = partsOf(transition, settings.partitionKeys);
    const moment = { ms: occurredAtMs, sequence };
    const counterpart = owner ?? gift?.member ?? null;
    const asked: OpenTransition = { index, transition, name, day, version, law, set, gift, moment, parts, counterpart };
    if (isOfAnyDay || (set.periods.length > 0 && nowMs < Math.min(day.ledgerClosesAtMs, set.firstClosesAtMs)))
      return asked;
    const isOpen = (on: readonly string[] | undefined) =>
      settings.boards.some((board) => {
        if (on ? !on.includes(board.name) : board.tallyOf != null) return false;
        const period = calendar.periodOf(board, atMs);
        return period.holds(atMs) && nowMs < calendar.timesOf(board, period).closesAtMs;
      });
    // An owner's gift may count on boards that close later.
    const isGiftOpen = () => {
      if (transition.kind !== 'grant' && transition.kind !== 'revoke') return false;
      const { field } = settings.fieldNames.gift(transition.member, name);
      return isOpen(settings.laws.of(field, version).boards);
    };
    if (nowMs < day.ledgerClosesAtMs && (isOpen(names) || isGiftOpen())) return asked;
    const { boards: words } = new BoardAnswers(set, [], nowMs).of('closed');
    return { outcome: 'closed', points: 0, scores: {}, boards: words };
  }
}

/** An owner's gift for a field on one more day. */
function together(gift: GiftResult, before: GiftResult | undefined): GiftResult {
  if (before?.member !== gift.member) return gift;
  const points = before.points + gift.points;
  const { outcome } = gift.outcome === 'duplicate' || gift.outcome === 'notGranted' ? before : gift;
  return { ...gift, outcome, points, scores: { ...before.scores, ...gift.scores } };
}
