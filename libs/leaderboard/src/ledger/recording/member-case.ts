import { keys } from '../../keys/keys';
import { dayMs } from '../../time/days';
import type { BoardPeriod, BoardSet } from '../periods/calendar';
import type { TransitionResult } from '../model/ledger.types';
import { BoardAnswers, mergedAnswer, shownOn } from './board-answers';
import { entered, expiring, listed, type CommitCommand, type Unit } from './commit';
import { Judge, type Judgement, type Move, type Owed } from './judge';
import { latestOn } from './entries';
import { messagePack } from './message-pack';
import { pageOf } from '../pages/page-of';
import type { MemberLedger } from './member-ledger';
import { holdKinds, type OpenTransition } from './planned';
import type { Judging } from './reading';
import { keptForMs, roomOf } from './room';
import { eachTogether, type View } from './view';

/** The latest exact number of a double. */
const mostExact = 2 ** 53;

interface JudgedTransition {
  readonly asked: OpenTransition;
  readonly judgement: Judgement;
  /** Of its own boards that are open, the points that the call has moved by then. */
  readonly moved: ReadonlyMap<BoardPeriod, number>;
  /** Its boards when it was judged: there may be others by the time of the answer. */
  readonly answers: BoardAnswers;
  /** Of each of its changes. */
  readonly ofChanges: readonly BoardAnswers[];
}

/** All transitions of one member in one call, with their results. */
export class MemberCase {
  results: (readonly [index: number, TransitionResult])[] = [];
  /** The member's gifts to owners. */
  owed: readonly Owed[] = [];
  /** What is to be written, if anything; null: all of it is refused, as it names somebody who was erased. */
  unit: Unit | null = null;
  private commands: CommitCommand[] = [];
  private answered: JudgedTransition[] = [];
  private before = new Map<BoardPeriod, number>();
  /** Those found to lead beyond what doubles tell; null: none is looked for, as it hardly ever happens. */
  private beyond: Set<OpenTransition> | null = null;
  readonly view: View;
  private readonly judging: Judging;
  private readonly excludedKey: string;

  constructor(
    private readonly ledger: MemberLedger,
    readonly asked: readonly OpenTransition[],
    private readonly erased: ReadonlySet<string>,
  ) {
    this.view = ledger.view;
    this.judging = ledger.judging;
    this.excludedKey = keys.excluded(this.judging.settings.prefix, this.judging.tag);
  }

  /** Judges all of it. Throws {@link notRead} where something is not read yet; then it is called again. */
  judge(): void {
    const { ledger } = this;
    ledger.begin();
    const judge = new Judge(ledger, (day, name, parts, sinceMs) =>
      this.open(ledger.boardsOf(day, name, parts, sinceMs), name),
    );
    this.prefetch();
    this.answered = [];
    this.results = [];
    this.before = new Map();
    const beyond: OpenTransition[] = [];
    eachTogether(this.asked, (one) => {
      const asked = this.withoutErased(one);
      const { name: ofName, day: ofDay, transition } = asked;
      const { member, names = [] } = transition;
      if ([member, ...names].some((name) => this.erased.has(name))) return this.refuse(asked, 'erased');
      if (this.beyond?.has(one)) return this.refuse(asked, 'scoreOutOfRange');
      const judgement = judge.judge(asked);
      if (this.beyond && this.isBeyondDoubles(judge)) beyond.push(one);
      // The answers read their scores here.
      const { changes, parts } = judgement;
      const ofChanges = changes.map(({ day, name, before, after }) =>
        this.answersOf(ledger.boardsOf(day, name, parts, (after ?? before)?.sinceMs ?? 0), name),
      );
      const own = changes.findIndex(({ day, name }) => day === ofDay.number && name === ofName);
      const answers =
        ofChanges[own] ?? this.answersOf(ledger.boardsOf(ofDay.number, ofName, parts, transition.occurredAtMs), ofName);
      const moved = new Map(
        answers.open.map((period) => [period, judge.moves.get(period.keys[0] as string)?.points ?? 0]),
      );
      this.answered.push({ asked, judgement, moved, answers, ofChanges });
    });
    const own = this.answered.flatMap(({ moved }) => [...moved.keys()]);
    eachTogether([...[...judge.moves.values()].map(({ period }) => period), ...own], (period) => this.pointsOf(period));
    // What leads beyond is found, and refused, when all of it is judged once more.
    if (beyond.length > 0 || (!this.beyond && this.isBeyondDoubles(judge))) {
      this.beyond = new Set([...(this.beyond ?? []), ...beyond.slice(0, 1)]);
      return this.judge();
    }
    this.finish(judge);
  }

  /** Whether any entry would have more points, either way, than doubles tell one by one. */
  private isBeyondDoubles({ moves }: Judge): boolean {
    return [...moves.values()].some(({ period, points }) => Math.abs(this.pointsOf(period) + points) >= mostExact);
  }

  /** Of a field's activities, in their order: what their owner is given for each, on how many days more or less. */
  gainsOf(name: string): { readonly index: number; readonly days: number; readonly points: number }[] {
    return this.answered.flatMap(({ asked, judgement: { changes } }) => {
      if (asked.name !== name) return [];
      const own = changes.filter((change) => change.name === name);
      const days = own.reduce((sum, { before, after }) => sum + (after ? 1 : 0) - (before ? 1 : 0), 0);
      const points = own.reduce((sum, { before, after }) => sum + (after?.gift ?? 0) - (before?.gift ?? 0), 0);
      return [{ index: asked.index, days, points }];
    });
  }

  /** Wants all that its transitions concern at least, so that most are read at once. */
  private prefetch(): void {
    const { ledger } = this;
    for (const { transition, name, day, version, law, set } of this.asked) {
      const isGift = ledger.isGift(name);
      const isRevoke = transition.kind === 'revoke';
      if ((law.limits.length > 0 || isRevoke) && !isGift) this.view.wantAll(ledger.ledgerKey(day.number));
      else ledger.wantFact(day.number, name);
      // What has come to be the latest is looked for where the latest goes.
      if (isRevoke || holdKinds.includes(transition.kind)) this.view.wantAll(ledger.alwaysKey);
      if (isRevoke && transition.grantedAtMs === undefined) this.view.spans.want(name);
      if (ledger.isForEver(name, version)) this.view.wantField(ledger.alwaysKey, name);
      else if (!isGift) this.view.wantField(ledger.revokesKey, name);
      if (transition.id !== undefined) this.view.wantField(ledger.alwaysKey, `#${transition.id}`);
      for (const period of set.periods)
        if (this.judging.nowMs < period.closesAtMs) {
          this.view.scores.want(period.keys[this.judging.shard] as string);
          this.ledger.marks.want(period.frozenKeys[this.judging.shard] as string);
        }
    }
    this.view.scores.want(this.excludedKey);
  }

  /** Null: the member is shown on boards. */
  private get state(): string | null {
    return this.view.scores.of(this.excludedKey);
  }

  /** What others do to what was an erased owner's is their own, and names no owner. */
  private withoutErased(asked: OpenTransition): OpenTransition {
    const isErased = ownersOf(asked.transition).some((owner) => this.erased.has(owner));
    return isErased ? { ...asked, gift: null, counterpart: null } : asked;
  }

  /** What counts once for ever lies in no day's ledger: it counts as long as its boards are open. */
  private open({ periods, day }: BoardSet, name: string): readonly BoardPeriod[] {
    const isForEver = this.judging.laws.of(name, 1).once === Infinity;
    if (this.judging.nowMs >= day.ledgerClosesAtMs && !isForEver) return [];
    const { nowMs, shard } = this.judging;
    return periods.filter((one) => nowMs < one.closesAtMs && !this.ledger.marks.of(one.frozenKeys[shard] as string));
  }

  /** Works out the entries, and what is to be written. */
  private finish(judge: Judge): void {
    this.commands = [];
    eachTogether(judge.moves.values(), (move) => this.enter(move));
    const { member, holdingKey: holding } = this.ledger;
    if (this.asked.some(({ transition: { kind } }) => holdKinds.includes(kind)))
      this.commands.push(this.ledger.heldParts.length > 0 ? ['ZADD', holding, '1', member] : ['ZREM', holding, member]);
    this.owed = [...judge.owed.values()].filter(({ owner }) => !this.erased.has(owner));
    this.unit = this.answered.length > 0 ? this.unitOf() : null;
  }

  /** The score of the member's entry, and the sets in which it may lie: where it belongs first. */
  private entry(period: BoardPeriod) {
    const [{ shard }, state] = [this.judging, this.state];
    const [shown, aside] = [period.keys[shard] as string, period.asideKeys[shard] as string];
    const sets = state === null ? [shown] : state === '1' ? [aside, shown] : [shown, aside];
    const scores = sets.map((key) => this.view.scores.of(key));
    const score = scores.find((one) => one !== null);
    return { sets, score: score === undefined ? null : Number(score) };
  }

  private pointsOf(period: BoardPeriod): number {
    const points = period.score.points(this.entry(period).score ?? 0);
    this.before.set(period, points);
    return points;
  }

  private enter({ period, points, cameMs, leftMs }: Move): void {
    const packed = period.score;
    const { sets, score } = this.entry(period);
    const tick = score === null ? null : packed.tick(score);
    const after = packed.points(score ?? 0) + points;
    const wasCoarse = Math.abs(score ?? 0) >= mostExact;
    const isCoarse = wasCoarse || Math.abs((score ?? 0) + points * packed.unit) >= mostExact;
    // A coarse score does not tell its moment.
    const hasLeft = wasCoarse || (leftMs !== null && (tick === null || packed.tickOf(leftMs) >= tick || isCoarse));
    let latestTick = Math.max(tick ?? 0, cameMs === null ? 0 : packed.tickOf(cameMs));
    let isLeft = true;
    if (after === 0 || hasLeft) {
      const latest = latestOn(this.ledger, period);
      isLeft = latest !== null;
      if (latest !== null) latestTick = packed.tickOf(latest);
    }
    const text = after === 0 && !isLeft ? null : String(packed.sumAt(after, latestTick));
    const { member } = this.view;
    for (const [i, key] of sets.entries())
      this.commands.push(...entered({ member, key, score: i === 0 ? text : null }, period, this.judging.shard));
  }

  private unitOf(): Unit {
    const { judging, ledger } = this;
    const { tag, nowMs } = judging;
    const { prefix, ledgerRetentionMs, keepsFirstDays } = judging.settings;
    const { member, writes } = this.view;
    const { commands } = this;
    for (const { asked } of this.answered) {
      const { name, day, transition } = asked;
      const atMs = day.ledgerClosesAtMs;
      const key = ledger.writtenKey(day.number, name);
      if (key === null) continue;
      const isForEver = key === ledger.alwaysKey;
      for (const hash of new Set([ledger.ledgerKey(day.number), ...(isForEver ? [] : [key])]))
        commands.push(...expiring(hash, atMs));
      const { names = [], namedAs = names } = transition;
      for (const text of [...namedAs, ...this.unfoundOwner(asked, isForEver)]) {
        const list = keys.naming(prefix, tag, text);
        commands.push(listed(list, key, isForEver ? Infinity : atMs));
        const isRevoked = namedAs.includes(text) && writes.get(ledger.revokesKey)?.has(name);
        if (isRevoked) commands.push(listed(list, ledger.revokesKey, Infinity));
      }
    }
    if (ledgerRetentionMs !== null) {
      const untilMs = nowMs + ledgerRetentionMs + 2 * dayMs;
      for (const key of [ledger.revokesKey, ledger.oldKey])
        if (writes.has(key)) commands.push(...expiring(key, untilMs));
    }
    commands.push(...this.pageTotals());
    const owed = this.owed.filter(({ isNew }) => isNew);
    for (const one of owed)
      this.view.write(keys.owed(prefix, tag, member), `${one.day} ${one.name}`, JSON.stringify(one));
    if (owed.length > 0) commands.push(['ZADD', keys.owing(prefix, tag), 'NX', nowMs, member]);
    const grantDays = this.answered.flatMap(({ asked: { transition, day } }) =>
      transition.kind === 'grant' ? [day.number] : [],
    );
    if (keepsFirstDays && grantDays.length > 0)
      commands.push(['ZADD', keys.firstDays(prefix, tag), 'LT', Math.min(...grantDays), member]);
    this.keepRoom();
    const names = new Set([...this.owed.map(({ owner }) => owner), ...this.asked.flatMap(namesOf)]);
    return { view: this.view, commands, names: [...names].filter((name) => !this.erased.has(name)) };
  }

  /** What changes of fields that lie in pages do to their totals, and to the latest moment of each page. */
  private pageTotals(): CommitCommand[] {
    const { ledger, view, judging } = this;
    const all = this.answered.flatMap(({ judgement }) => judgement.changes);
    return all.flatMap(({ day, name, before, after }) => {
      const page = ledger.isGift(name) ? pageOf(name) : null;
      if (page === null || !view.writes.get(ledger.pageKey(day, page))?.has(name)) return [];
      const key = ledger.crowdKey(day);
      const [, beginning = ''] = /^([^:]*:[^:]*:)/.exec(name) ?? [];
      const totals = [before, after].flatMap((one, i): CommitCommand[] => {
        if (!one) return [];
        const sign = i === 0 ? -1 : 1;
        const of = `${one.version}${beginning}`;
        return [
          ['HINCRBY', key, `=${of}`, sign],
          ['HINCRBY', key, `+${of}`, sign * one.points],
        ];
      });
      if (after) totals.push(['HMAX', key, `@${page}`, after.sinceMs]);
      return [...totals, ...expiring(key, judging.calendar.dayNumbered(day)?.ledgerClosesAtMs ?? Infinity)];
    });
  }

  /** The owner whom a grant's fact names, unless an erasure of the owner finds the fact by what it gave them. */
  private unfoundOwner(
    { transition: { kind, occurredAtMs }, name, day, counterpart, parts }: OpenTransition,
    isForEver: boolean,
  ) {
    if ((kind !== 'grant' && kind !== 'owner') || counterpart === null) return [];
    const isGiven = this.owed.some((one) => one.day === day.number && one.name === name);
    const { field } = this.judging.settings.fieldNames.gift(this.view.member, name);
    return isGiven &&
      !isForEver &&
      this.open(this.ledger.boardsOf(day.number, field, parts, occurredAtMs), field).length > 0
      ? []
      : [counterpart];
  }

  /** Keeps the rest of today's limits after this call, where anything of it is limited. */
  private keepRoom(): void {
    const { judging, ledger } = this;
    const { tag, nowMs, laws } = judging;
    const limits = this.asked.flatMap(({ name, law, day }) => {
      if (ledger.isGift(name)) return [];
      // The rules by which it was granted may be others.
      const { first, last } = ledger.fact(day.number, name);
      const granted = [first, last].flatMap((grant) => (grant ? laws.of(name, grant.version) : []));
      return [law, ...granted].flatMap((one) => one.limits);
    });
    const isRevalued = this.asked.some(({ transition: { kind } }) => kind === 'revalue');
    if (limits.length === 0 && !isRevalued) return;
    const today = judging.calendar.dayOf(nowMs).number;
    const days = Array.from({ length: judging.lastDay - today + 1 }, (_, i) => today + i);
    const room = !isRevalued && this.asked.some(({ day }) => day.number >= today) ? roomOf(ledger, days) : null;
    const key = keys.room(judging.settings.prefix, tag, this.view.member);
    const untilMs = nowMs + keptForMs(limits);
    this.commands.push(room ? ['SET', key, messagePack(room), 'PXAT', untilMs] : ['DEL', key]);
  }

  /** Makes the results of what was committed as it was judged. */
  answer(): void {
    for (const { asked, judgement, moved, answers: own, ofChanges } of this.answered) {
      const { open } = own;
      const { outcome, changes, refusal } = judgement;
      const isElsewhere = changes.some(({ day }) => day !== asked.day.number);
      const answers = isElsewhere
        ? mergedAnswer(ofChanges.map((one) => one.of('granted')))
        : own.of(open.length === 0 ? 'closed' : outcome);
      const pointsOn = (period: BoardPeriod) => (this.before.get(period) ?? 0) + (moved.get(period) ?? 0);
      const { scores, boards } = shownOn(open, pointsOn, answers.boards);
      const points = changes.reduce((sum, one) => sum + (one.after?.points ?? 0) - (one.before?.points ?? 0), 0);
      this.results.push([
        asked.index,
        {
          outcome: open.length === 0 && changes.length === 0 ? 'closed' : outcome,
          ...{ points, scores, boards },
          ...(answers.late.length > 0 && { late: answers.late }),
          ...(refusal && { reason: refusal.limit }),
          ...(refusal && outcome === 'limited' && { refusal }),
          ...(this.state === '1' && { excluded: true as const }),
        },
      ]);
    }
  }

  private answersOf(set: BoardSet, name: string): BoardAnswers {
    return new BoardAnswers(set, this.open(set, name), this.judging.nowMs);
  }

  private refuse({ index, day, name, transition }: OpenTransition, reason: string): void {
    const set = this.ledger.boardsOf(day.number, name, transition.partitions ?? null, transition.occurredAtMs);
    const { boards } = this.answersOf(set, name).of('rejected');
    this.results.push([index, { outcome: 'rejected', points: 0, scores: {}, boards, reason }]);
  }
}

function ownersOf({ gift, counterpart }: OpenTransition['transition']): string[] {
  return [...(gift ? [gift.member] : []), ...(counterpart === undefined ? [] : [counterpart])];
}

function namesOf({ transition }: OpenTransition): string[] {
  return [...(transition.names ?? []), ...ownersOf(transition)];
}
