import { checkedMember, checkedPartition, keys, ledgerStem } from '../keys';
import { BoardReader } from '../board-reader';
import { LeaderboardError } from '../errors';
import { Period } from '../period';
import { sendTogether, type Command } from '../reads/send';
import { guarded, MembersMovedError, MemberScripts } from '../resharding/guard';
import { loadScript, type RedisClient } from '../scripts/run';
import { served } from '../scripts/served';
import { scripts, type Script } from '../scripts/scripts.generated';
import { packedLayout } from '../score/packed-layout';
import { shardOf } from '../shard';
import { adjustmentIn, isAdjustmentField } from './adjustment';
import { Calendar, type BoardPeriod } from './calendar';
import { countSetOf, cutByCounts } from './counts';
import { FirstDays } from './first-days';
import { dayMs, ledgerSettings, maxDaysScanned, type LedgerSettings } from './ledger-options';
import { membersByName, mergedByName } from './names';
import { Erasure, type Erased } from './erasure';
import { ExcludedMembers, type Place } from './excluded-members';
import { byMoment, ledgerLine } from './ledger-lines';
import { withOwnLimits } from './own-limits';
import type {
  LedgerBoard,
  LedgerDay,
  LedgerField,
  LedgerLine,
  LedgerOptions,
  LimitQuota,
  Transition,
  TransitionResult,
} from './ledger.types';
import { QuotaReader, type QuotaOptions, type QuotaQuestion } from './quota';
import { PeriodRegistry } from './period-registry';
import { StandingGrants, type StandingGrant } from './standing-grants';
import { readStreaks } from './streaks';
import { TermsRegister, type LedgerTerms } from './terms';
import { checkTransition } from './transition-checks';
import { concernsOtherDays, TransitionPlan } from './transition-plan';
import { WrittenBoards } from './written-boards';

/** The most frozen periods remembered. */
const maxKnownFrozen = 20_000;

/** The most transitions in one script call: a longer one would keep other clients of that Redis waiting. */
const maxTransitionsPerCall = 500;

/**
 * `notStarted`: the first that there is, to come: a contest. `open`: it runs, or is to come. `closing`: ended, not final
 * yet: late transitions may still count. `settled`: final.
 */
export type PeriodState = 'notStarted' | 'open' | 'closing' | 'settled';

/** The script that records, with the limits of the caller's own in it. */
type RecordingScript = Script<typeof scripts.recordTransitions.keys, typeof scripts.recordTransitions.args>;

/**
 * What members were granted, day by day, and the boards that are the sums of it. One script call moves ledgers and
 * boards together: a transition is judged once, however often, in whatever order and by however many processes it is
 * delivered.
 */
export class Ledger {
  /** What it was built with, defaults filled in. */
  readonly settings: LedgerSettings;
  private readonly calendar: Calendar;
  private readonly readers = new WeakMap<BoardPeriod, BoardReader>();
  private readonly excluded: ExcludedMembers;
  private readonly erasure: Erasure;
  private readonly grants: StandingGrants;
  private readonly registry: PeriodRegistry;
  /** Periods known to be frozen: they stay so. */
  private readonly known = new Set<string>();
  private readonly register: TermsRegister;
  private readonly recording: RecordingScript;
  private readonly quotas: QuotaReader;
  private readonly firstSeen: FirstDays;
  private readonly members: MemberScripts;
  /** Whether the number of shards was found as configured: from then on it is followed where it changes. */
  private isPrepared = false;
  /** Whether it has changed since. */
  private hasMoved = false;

  /** @throws LeaderboardError `invalidOption`, naming the option, its value and what is allowed. */
  constructor(
    private readonly redis: RedisClient,
    options: LedgerOptions,
  ) {
    this.settings = ledgerSettings(options);
    this.calendar = new Calendar(this.settings);
    this.registry = new PeriodRegistry(redis, this.settings);
    this.register = new TermsRegister(redis, this.settings);
    const boards = new WrittenBoards(redis, this.settings, this.calendar, this.registry);
    this.members = new MemberScripts(redis, this.settings);
    this.excluded = new ExcludedMembers(redis, this.settings, boards, this.members);
    this.grants = new StandingGrants(redis, this.settings, this.calendar, boards);
    this.erasure = new Erasure(redis, this.settings, this.calendar, boards, this.members);
    this.recording = withOwnLimits(scripts.recordTransitions, this.settings.limitTypes);
    this.quotas = new QuotaReader(redis, this.settings);
    this.firstSeen = new FirstDays(redis, this.settings);
  }

  /** How many shards the members are spread over. */
  get shards(): number {
    return this.settings.tags.length;
  }

  /** The shard that holds everything of `member`. */
  shardOf(member: string): number {
    return shardOf(member, this.shards);
  }

  /**
   * Stores the number of shards under the prefix, or compares it with what is stored, brings the script to every server,
   * and finds out the version of the terms. Two round trips, three with terms, one more with first days.
   * @throws LeaderboardError `shardCountMismatch` where data lies there in another number of shards.
   */
  async prepare(): Promise<void> {
    const key = keys.layout(this.settings.prefix);
    const [isNew] = await Promise.all([
      served(this.redis, key, () => this.redis.hsetnx(key, 'shards', String(this.shards))),
      loadScript(this.redis, guarded(this.recording)),
    ]);
    const stored = await served(this.redis, key, () => this.redis.hget(key, 'shards'));
    if (this.isPrepared) await this.syncShards();
    if (stored === String(this.shards)) {
      this.isPrepared = true;
      await this.register.register();
      if (this.settings.keepsFirstDays) await this.firstSeen.begin(isNew === 1);
      return;
    }
    throw new LeaderboardError(
      'shardCountMismatch',
      `The data under the prefix "${this.settings.prefix}" lies in ${stored} shards, but ${this.shards} are configured: ` +
        `configure ${stored}, or move the data first with the command "reshard --shards ${this.shards}".`,
    );
  }

  /** Lets go of connections of its own, which it has where it waits for replicas. The client that it was given stays open. */
  close(): void {
    this.members.close();
  }

  /**
   * Takes the number of shards that members have been moved to since, where they have: all that is asked from now on goes
   * there. True: it is another one than before. Calls that change something find out by themselves; reads go on in the old
   * shards until this is called, which are kept for ten seconds. One round trip.
   */
  async syncShards(): Promise<boolean> {
    const key = keys.layout(this.settings.prefix);
    const [shards, run, step] = await served(this.redis, key, () => this.redis.hmget(key, 'shards', 'run', 'step'));
    this.members.track(step === 'copying');
    // What was never moved is as it was configured.
    if (shards == null || run == null || Number(shards) === this.shards) return false;
    await this.settings.layout.adopt(Number(shards));
    this.hasMoved = true;
    return true;
  }

  /**
   * Where members lie: the mark is another one whenever a move to another number of shards has begun or ended in between.
   * For who reads in many calls. One round trip.
   */
  async placement(): Promise<{ readonly mark: string; readonly isMoving: boolean }> {
    const key = keys.layout(this.settings.prefix);
    const [shards, run, step] = await served(this.redis, key, () => this.redis.hmget(key, 'shards', 'run', 'step'));
    return { mark: `${shards ?? ''} ${run ?? ''}`, isMoving: step != null };
  }

  /** Does what concerns a member in his shard, anew where he has been moved to another meanwhile. */
  private async inShards<T>(work: () => Promise<T>): Promise<T> {
    const { tags } = this.settings;
    try {
      return await this.settings.layout.pinned(work);
    } catch (error) {
      if (!(error instanceof MembersMovedError)) throw error;
      await this.syncShards();
      // Another call may have found it out first.
      if (tags === this.settings.tags) throw error;
      return this.inShards(work);
    }
  }

  /** The version of the terms that points are granted by now. One round trip, none where it is known. */
  async version(): Promise<number> {
    return this.register.known ?? this.register.register();
  }

  /**
   * The version of other terms, for transitions that name it: the one that they have, else the next. Those in force stay
   * in force. One round trip.
   */
  registerTerms(text: string): Promise<number> {
    return this.register.versionOf(text);
  }

  /** All terms that points were ever granted by, the earliest first. One round trip. */
  terms(): Promise<LedgerTerms[]> {
    return this.register.all();
  }

  /**
   * Judges transitions of any members, in the order given for each member, and moves ledgers and boards. Results come
   * in the order of the transitions. Costs one round trip a shard concerned (and one for each further 500 transitions of
   * it). Safe to repeat: what was judged already is then a `duplicate`.
   * @throws LeaderboardError `invalidArgument` before anything is done where a transition is malformed.
   */
  async apply(transitions: readonly Transition[]): Promise<TransitionResult[]> {
    transitions.forEach(checkTransition);
    const byShard = new Map<number, number[]>();
    transitions.forEach((transition, index) => {
      const shard = this.shardOf(transition.member);
      const indexes = byShard.get(shard);
      if (indexes) indexes.push(index);
      else byShard.set(shard, [index]);
    });
    const results = new Array<TransitionResult>(transitions.length);
    await Promise.all(
      [...byShard].map(async ([shard, indexes]) => {
        for (let start = 0; start < indexes.length; start += maxTransitionsPerCall) {
          const chunk = indexes.slice(start, start + maxTransitionsPerCall);
          const judged = await this.applyToShard(
            shard,
            chunk.map((index) => transitions[index] as Transition),
          );
          chunk.forEach((index, i) => {
            results[index] = judged[i] as TransitionResult;
          });
        }
      }),
    );
    return results;
  }

  /**
   * As {@link apply}, for checked transitions ({@link checkTransition}) whose members all lie in `shard`: one script
   * call, one round trip (one more wherever what daily limits count changes from one transition to the next). For callers that batch by shard themselves. Where ledgers are kept for more than 40 days,
   * transitions that concern other days too cost a second round trip, in which the members' days are read first.
   */
  async applyToShard(shard: number, transitions: readonly Transition[]): Promise<TransitionResult[]> {
    // They may have been put together when members were spread over another number of shards.
    if (this.hasMoved && transitions.some(({ member }) => this.shardOf(member) !== shard))
      return this.apply(transitions);
    const { tags } = this.settings;
    try {
      return await this.applyNow(shard, transitions, tags);
    } catch (error) {
      if (!(error instanceof MembersMovedError)) throw error;
      await this.syncShards();
      if (tags === this.settings.tags) throw error;
      return this.apply(transitions);
    }
  }

  private async applyNow(
    shard: number,
    transitions: readonly Transition[],
    tags: readonly string[],
  ): Promise<TransitionResult[]> {
    const cut = cutByCounts(transitions);
    if (cut.length > 1) {
      const results: TransitionResult[] = [];
      for (const alike of cut) results.push(...(await this.applyToShard(shard, alike)));
      return results;
    }
    const knownDays = await this.readDays(shard, transitions);
    const version = this.register.known ?? (await this.register.register());
    if (tags !== this.settings.tags) throw new MembersMovedError();
    const nowMs = this.settings.clock.now();
    const counts = countSetOf(transitions[0] ?? {});
    const plan = new TransitionPlan(this.settings, this.calendar, shard, nowMs, counts, knownDays, version);
    for (const index of memberByMember(transitions)) plan.add(transitions[index] as Transition, index);
    const noted = this.registry.note(plan.periods);
    const judged = plan.isEmpty ? [] : this.judge(plan, shard, transitions);
    const results = plan.read(noted ? (await Promise.all([judged, noted]))[0] : await judged);
    // A member got a ledger of a new day between the two trips: those few are judged again, by the days of now.
    const unjudged = results.flatMap((result, index) => (result ? [] : [index]));
    if (unjudged.length > 0) {
      const again = await this.applyToShard(
        shard,
        unjudged.map((index) => transitions[index] as Transition),
      );
      unjudged.forEach((index, i) => (results[index] = again[i] as TransitionResult));
    }
    return results as TransitionResult[];
  }

  private judge(plan: TransitionPlan, shard: number, transitions: readonly Transition[]): Promise<unknown> {
    const args = plan.scriptArgs();
    const concerned = { tag: this.settings.tags[shard] as string, members: transitions.map(({ member }) => member) };
    return this.members.run(this.recording, plan.scriptKeys(), args, concerned);
  }

  /** The days on which those members have ledgers whose transitions concern other days, where that is listed. */
  private async readDays(shard: number, transitions: readonly Transition[]): Promise<ReadonlyMap<string, Set<number>>> {
    if (!this.settings.indexesDays) return new Map();
    const members = new Set(transitions.filter(concernsOtherDays).map(({ member }) => member));
    const tag = this.settings.tags[shard] as string;
    return new Map(
      await Promise.all(
        [...members].map(async (member) => {
          const key = keys.days(this.settings.prefix, tag, member);
          const days = await served(this.redis, key, () => this.redis.zrange(key, '0', '-1'));
          return [member, new Set(days.map(Number))] as const;
        }),
      ),
    );
  }

  /**
   * What is left of limits for a member, now or at the moment given, in the order asked; null for a limit that needs a
   * field, a counterpart or something prepared which is not given. One round trip.
   * @throws LeaderboardError `invalidArgument` where the member is malformed.
   */
  quotaOf(
    member: string,
    questions: readonly QuotaQuestion[],
    options: QuotaOptions = {},
  ): Promise<(LimitQuota | null)[]> {
    const { atMs = this.settings.clock.now() } = options;
    const tag = this.tagOf(checkedMember(member));
    return this.quotas.read(member, questions, { ...options, atMs }, tag, this.calendar.dayOf(atMs));
  }

  /**
   * The member's ledgers from one day to another, both included; days without one have no fields. One round trip.
   * @throws LeaderboardError `invalidArgument` where `from` lies after `to`, or the two are no days.
   */
  async history(member: string, from: Period, to: Period): Promise<LedgerDay[]> {
    checkRange(from, to);
    return this.readLedgers(checkedMember(member), daysBetween(from, to));
  }

  /**
   * The ledgers of several members from one day to another, both included; days without one are left out. One round trip;
   * two where days are many, and are listed because ledgers are kept for more than 40 of them.
   * @throws LeaderboardError `invalidArgument` as {@link history}.
   */
  async histories(members: readonly string[], from: Period, to: Period): Promise<LedgerDay[][]> {
    checkRange(from, to);
    members.forEach(checkedMember);
    const [first, last] = [from, to].map(({ key }) => Date.parse(key) / dayMs) as [number, number];
    const isListed = this.settings.indexesDays && last - first > maxDaysScanned;
    // A day that the zone skipped has no ledger either.
    const all = isListed ? [] : datesBetween(first, last);
    return Promise.all(
      members.map(async (member) => {
        const dates = isListed ? await this.listedDays(member, first, last) : all;
        const ledgers = await this.readLedgers(member, dates);
        return ledgers.filter(({ fields }) => fields.length > 0);
      }),
    );
  }

  /**
   * For how many days in a row members stood on a board of days: up to the day that holds `atMs`, or up to the day before
   * where that day is not over and they do not stand on it yet: `longest` days at most. One round trip a shard.
   * @throws LeaderboardError `invalidArgument` where there is no such board, or its periods are no days.
   */
  async streaks(
    board: string,
    members: readonly string[],
    { atMs, longest }: { readonly atMs: number; readonly longest: number },
  ): Promise<number[]> {
    const found = this.boardNamed(board);
    if (found.period !== 'day' || found.partition != null) {
      throw new LeaderboardError('invalidArgument', `The board "${board}" is none of whole days.`);
    }
    members.forEach(checkedMember);
    const last = this.calendar.dayOf(atMs);
    const days = Array.from({ length: longest }, (_, ago) => this.calendar.dayNumbered(last.number - ago)).flatMap(
      (day) => (day ? [this.calendar.boardPeriod(found, day.period)] : []),
    );
    return readStreaks(this.redis, { members, days, isRunning: this.settings.clock.now() < last.endMs });
  }

  /**
   * The days on which members were first seen, `2026-11-20`, in the order asked; null where it is not known: none is
   * unless the ledger keeps them, nor of who came within 31 days after it began to on data that was there before. One
   * round trip a shard.
   */
  async firstDays(members: readonly string[]): Promise<(string | null)[]> {
    members.forEach(checkedMember);
    return this.settings.keepsFirstDays ? this.firstSeen.find(members) : members.map(() => null);
  }

  /** The day that holds `atMs`. */
  dayOf(atMs: number): Period {
    return this.calendar.dayOf(atMs).period;
  }

  /**
   * Each field of one day of a member's ledger with its moments, the earliest grant first. One round trip, two where a
   * revoke of a later day may have ended something.
   * @throws LeaderboardError `invalidArgument` where `day` is no day.
   */
  async lines(member: string, day: Period): Promise<LedgerLine[]> {
    checkRange(day, day);
    const { prefix } = this.settings;
    const tag = this.tagOf(checkedMember(member));
    const key = keys.ledger(prefix, tag, day.key.replaceAll('-', ''), member);
    const all = Object.entries(await served(this.redis, key, () => this.redis.hgetall(key)));
    // Counts for daily limits lie under the field without a name.
    const fields = all.filter(([field]) => field !== '');
    const open = fields.map(([field, value]) => ledgerLine(field, value)).filter(({ isWhole }) => !isWhole);
    const revokesKey = keys.revokes(prefix, tag, member);
    const names = open.map(({ field }) => field);
    const revokes =
      names.length === 0 ? [] : await served(this.redis, revokesKey, () => this.redis.hmget(revokesKey, ...names));
    const later = new Map(names.map((field, i) => [field, revokes[i] ?? '']));
    return fields
      .map(([field, value]) => {
        const { points, version, grantedAtMs, revokedAtMs, adjustment } = ledgerLine(field, value, later.get(field));
        return { field, points, version, grantedAtMs, revokedAtMs, ...(adjustment && { adjustment }) };
      })
      .sort(byMoment);
  }

  private async readLedgers(member: string, dates: readonly string[]): Promise<LedgerDay[]> {
    const { prefix } = this.settings;
    const ledgers = await Promise.all(
      dates.map((date) => {
        const key = ledgerStem(prefix, this.tagOf(member), date.replaceAll('-', '')) + member;
        return served(this.redis, key, () => this.redis.hgetall(key));
      }),
    );
    return dates.map((date, i) => ({
      date,
      // Counts for daily limits lie under the field without a name.
      fields: Object.entries(ledgers[i] ?? {})
        .filter(([field]) => field !== '')
        .map(([field, value]) => ({
          field,
          ...standingOf(value),
          ...(isAdjustmentField(field) && { adjustment: adjustmentIn(value) }),
        })),
    }));
  }

  private async listedDays(member: string, first: number, last: number): Promise<string[]> {
    const key = keys.days(this.settings.prefix, this.tagOf(member), member);
    const numbers = await this.redis.zrange(key, String(first), String(last), 'BYSCORE');
    return numbers.map((number) => new Date(Number(number) * dayMs).toISOString().slice(0, 10));
  }

  private tagOf(member: string): string {
    return this.settings.tags[this.shardOf(member)] as string;
  }

  /**
   * Reads of one board for one period, live: nothing is kept. Entries of 0 points do not show.
   * @param partition which part of a partitioned board.
   * @throws LeaderboardError `invalidArgument` where there is no such board, or the period is not of its kind.
   */
  board(name: string, period: Period, partition: string | null = null): BoardReader {
    const board = this.boardPeriod(name, period, partition);
    let reader = this.readers.get(board);
    if (!reader) {
      reader = this.readerOf(board, ({ keys: own }) => own);
      this.readers.set(board, reader);
    }
    return reader;
  }

  private readerOf(board: BoardPeriod, keysOf: (board: BoardPeriod) => readonly string[]): BoardReader {
    const ofMember = (member: string) => shardOf(member, board.keys.length);
    const { score } = board;
    return new BoardReader(this.redis, {
      keys: keysOf(board),
      shardOf: ofMember,
      layout: packedLayout(score),
      minScore: score.unit,
    });
  }

  /**
   * Takes a member off all boards, or puts him back where he would stand: his entries are moved to sets beside the boards,
   * and what he is granted meanwhile is written there. On up to 1,000 boards, periods and parts counted, all reads see it
   * at one moment. About four round trips. Safe to repeat, also where it was cut short. False where another call, to the
   * other place, came between: where he stands is for that one to say.
   */
  move(member: string, place: Place): Promise<boolean> {
    checkedMember(member);
    return this.inShards(() => this.excluded.move(member, this.shardOf(member), place));
  }

  /**
   * Takes a member out of everything that is kept of him: boards of all periods, frozen ones as well, rolling windows,
   * ledgers, lists, windows of limits. What he is granted afterwards is a new member's. Safe to repeat, and to be repeated
   * where it was cut short. Looks at every key there is: about a second for a million of them.
   * @throws LeaderboardError `unavailable` while members are moved to another number of shards.
   */
  async erase(member: string): Promise<Erased> {
    checkedMember(member);
    const before = await this.placement();
    if (before.isMoving) throw new MembersMovedError();
    const erased = await this.inShards(() => this.erasure.erase(member, this.shardOf(member)));
    // A copy may have been made of him meanwhile.
    if ((await this.placement()).mark !== before.mark) throw new MembersMovedError();
    return erased;
  }

  /** Takes a member out of one period of a board, shown or beside; true: he was on it. One round trip. */
  async eraseFrom(board: string, period: Period, member: string, partition: string | null = null): Promise<boolean> {
    checkedMember(member);
    return this.inShards(async () => {
      const { keys: shown, asideKeys } = this.boardPeriod(board, period, partition);
      const shard = this.shardOf(member);
      const sets = [shown[shard] as string, asideKeys[shard] as string];
      return (await this.erasure.eraseFrom(this.settings.tags[shard] as string, member, sets)) > 0;
    });
  }

  /** Takes a member out of rolling windows, until they are put together anew. Two round trips. */
  async eraseFromWindows(member: string): Promise<void> {
    checkedMember(member);
    await this.inShards(() => this.erasure.eraseFromWindows(member, this.shardOf(member)));
  }

  /** What stands of what a member was granted from a moment on, as far as ledgers are kept. A round trip a day. */
  standingSince(member: string, sinceMs: number): Promise<StandingGrant[]> {
    checkedMember(member);
    return this.inShards(() => this.grants.since(member, this.shardOf(member), sinceMs));
  }

  /**
   * By their keys, the parts of partitioned boards on which a member stands on the day of a moment. Ledgers do not know the
   * part of a grant: where he stands on several of one board, none is named.
   */
  partsAt(member: string, atMs: number): Promise<Record<string, string>> {
    checkedMember(member);
    return this.inShards(() => this.grants.partsAt(member, this.shardOf(member), atMs));
  }

  /** Whether the member is kept off the boards by {@link move}. One round trip. */
  isAside(member: string): Promise<boolean> {
    return this.excluded.isExcluded(checkedMember(member), this.shardOf(member));
  }

  /**
   * What says whether entries were moved or erased: equal where none were between two calls. For who reads a board by
   * place, page after page. One round trip.
   */
  changes(): Promise<string> {
    return this.excluded.changes('moves', 'erasures');
  }

  /** As {@link changes}, of erasures alone. */
  erasures(): Promise<string> {
    return this.excluded.changes('erasures');
  }

  /** As {@link board}, of those alone who are kept off it by {@link move}. */
  aside(name: string, period: Period, partition: string | null = null): BoardReader {
    return this.readerOf(this.boardPeriod(name, period, partition), ({ asideKeys }) => asideKeys);
  }

  /** As {@link board}, of all together, as if nobody were kept off it by {@link move}. */
  everyone(name: string, period: Period, partition: string | null = null): Pick<BoardReader, 'size' | 'walk'> {
    return this.readerOf(this.boardPeriod(name, period, partition), ({ keys: own, asideKeys }) => [
      ...own,
      ...asideKeys,
    ]);
  }

  /** The board's period that holds `atMs`: by default, now. The first or the last one where `atMs` lies outside of all. */
  periodOf(board: string, atMs = this.settings.clock.now()): Period {
    return this.calendar.periodOf(this.boardNamed(board), this.calendar.dayOf(atMs));
  }

  /**
   * The board's period that `key` names.
   * @throws LeaderboardError `invalidArgument` where it names none.
   */
  parsePeriod(board: string, key: string): Period {
    return Period.parse(this.boardNamed(board).period, key, this.settings.timezone);
  }

  /**
   * Whether the period still takes transitions on the board named. Where the ledger's periods are frozen, one is settled
   * when it is frozen, or gone, or was never written; otherwise by time alone. One round trip for a period that has ended
   * and is not known to be frozen, none otherwise.
   */
  async stateOf(board: string, period: Period): Promise<PeriodState> {
    const { freezes } = this.checkedBoard(board, period);
    const now = this.settings.clock.now();
    if (now < period.start.getTime() && period.kind !== 'all' && period.previous() === null) return 'notStarted';
    const { closesAtMs, expireAtMs } = this.boardTimes(board, period);
    if (period.end === null || now < period.end.getTime()) return 'open';
    if (!freezes) return now < closesAtMs ? 'closing' : 'settled';
    const [isFrozen, isWritten] = await Promise.all([
      this.isFrozen(board, period),
      now < closesAtMs || this.registry.isWritten(this.boardNamed(board), period),
    ]);
    return isFrozen || now >= expireAtMs || !isWritten ? 'settled' : 'closing';
  }

  /**
   * Makes a period of a board final: from now on no transition changes it, whatever the clock of the process it comes
   * from. What it counts on beside, it still counts on. Safe to repeat. One round trip.
   * @throws LeaderboardError `invalidArgument` where the period never ends.
   */
  async freeze(board: string, period: Period): Promise<void> {
    const { expireAtMs } = this.boardTimes(board, period);
    if (period.end === null) {
      throw new LeaderboardError('invalidArgument', `The period "${period.key}" of "${board}" never ends.`);
    }
    const args = { name: 'SET', arguments: Number.isFinite(expireAtMs) ? ['1', 'PXAT', expireAtMs] : ['1'] };
    await this.inShards(() => {
      const { tags } = this.settings;
      const marks = this.frozenKeys(board, period);
      return Promise.all(
        tags.map((tag, shard) =>
          this.members.run(scripts.runCommand, { key: marks[shard] as string }, args, { tag, members: [] }),
        ),
      );
    });
    if (this.settings.clock.now() < expireAtMs) this.known.add(`${board}:${period.key}`);
  }

  /** Whether a period of a board is final by {@link freeze}. One round trip, none where it is known. */
  async isFrozen(board: string, period: Period): Promise<boolean> {
    const id = `${board}:${period.key}`;
    if (this.known.has(id)) return true;
    const marks = await sendTogether(
      this.redis,
      this.frozenKeys(board, period).map((key): Command => ['exists', key]),
    );
    if (marks.some((mark) => mark !== 1)) return false;
    if (this.known.size >= maxKnownFrozen) this.known.clear();
    this.known.add(id);
    return true;
  }

  /**
   * The periods of a board that were written and are still there, the latest first: up to `limit` (default 100) that
   * start before a moment (default: all). One round trip.
   */
  async periods(board: string, options: { readonly before?: Date; readonly limit?: number } = {}): Promise<Period[]> {
    const { before, limit = 100 } = options;
    const found = await this.registry.written(this.boardNamed(board), before?.getTime() ?? Infinity, limit);
    const now = this.settings.clock.now();
    return found.filter((period) => now < this.boardTimes(board, period).expireAtMs);
  }

  /**
   * The periods of a board that were written and that {@link markSettled} was not told of, the earliest first, even where
   * their boards are gone. One round trip.
   */
  unsettled(board: string): Promise<Period[]> {
    return this.registry.unsettled(this.boardNamed(board));
  }

  /** Says that a period is done with; true for the first who says so. It is not frozen by it. One round trip. */
  markSettled(board: string, period: Period): Promise<boolean> {
    return this.registry.settle(this.checkedBoard(board, period), period);
  }

  /** From which moments on a period takes no more transitions, and is dropped by Redis. Infinity: never. */
  boardTimes(board: string, period: Period): { readonly closesAtMs: number; readonly expireAtMs: number } {
    const { closesAtMs, expireAtMs } = this.calendar.timesOf(this.checkedBoard(board, period), period);
    return { closesAtMs, expireAtMs };
  }

  /**
   * The parts that a period of a partitioned board has, by their names as bytes. Read in pages of 1,000 from each shard,
   * one round trip each; memory does not grow with their number.
   */
  async *partitions(board: string, period: Period): AsyncGenerator<string> {
    const { name } = this.checkedBoard(board, period);
    const { prefix, tags } = this.settings;
    const lists = tags.map((tag) => membersByName(this.redis, keys.boardParts(prefix, tag, name, period.key)));
    yield* mergedByName(lists);
  }

  /**
   * Where a board's period lies and how it is packed: for what is made from boards.
   * @throws LeaderboardError `invalidArgument` as {@link board}.
   */
  boardPeriod(name: string, period: Period, partition: string | null): BoardPeriod {
    const board = this.checkedBoard(name, period);
    if ((partition === null) !== !board.partition) {
      const fault = partition === null ? `has parts: name one by its ${board.partition}` : 'has no parts';
      throw new LeaderboardError('invalidArgument', `The board "${name}" ${fault}.`);
    }
    return this.calendar.boardPeriod(board, period, partition === null ? null : checkedPartition(partition));
  }

  private frozenKeys(board: string, period: Period): string[] {
    const { prefix, tags } = this.settings;
    const { name } = this.checkedBoard(board, period);
    return tags.map((tag) => keys.frozen(prefix, tag, name, period.key));
  }

  private checkedBoard(name: string, period: Period): LedgerBoard {
    const board = this.boardNamed(name);
    if (period.isCutBy(board.period, this.settings.timezone)) return board;
    throw new LeaderboardError(
      'invalidArgument',
      `The period ${period.key} in ${period.timezone} is none of the board "${name}", whose time is cut by ${JSON.stringify(board.period)} in ${this.settings.timezone}.`,
    );
  }

  private boardNamed(name: string): LedgerBoard {
    const board = this.settings.boards.find((candidate) => candidate.name === name);
    if (board) return board;
    const names = this.settings.boards.map((candidate) => candidate.name).join(', ');
    throw new LeaderboardError('invalidArgument', `No board is named "${name}": there are ${names}.`);
  }
}

/**
 * The places of transitions, those of one member one after the other in their order: the script then reads and writes his
 * ledger once. Members' order does not matter: no transition reads or changes anything of another member.
 */
function memberByMember(transitions: readonly Transition[]): number[] {
  const firsts = new Map<string, number>();
  transitions.forEach(({ member }, index) => {
    if (!firsts.has(member)) firsts.set(member, index);
  });
  const indexes = transitions.map((_, index) => index);
  if (firsts.size === transitions.length) return indexes;
  const firstOf = (index: number) => firsts.get((transitions[index] as Transition).member) as number;
  return indexes.sort((a, b) => firstOf(a) - firstOf(b));
}

function checkRange(from: Period, to: Period): void {
  if (from.kind === 'day' && to.kind === 'day' && from.start <= to.start) return;
  throw new LeaderboardError('invalidArgument', 'A history goes from one day to the same or a later one.');
}

function daysBetween(from: Period, to: Period): string[] {
  const days: string[] = [];
  for (let day: Period | null = from; day && day.start <= to.start; day = day.next()) days.push(day.key);
  return days;
}

function datesBetween(first: number, last: number): string[] {
  return Array.from({ length: last - first + 1 }, (_, i) => new Date((first + i) * dayMs).toISOString().slice(0, 10));
}

/** What a ledger's value says of its field now: scripts/include/ledger-field.lua knows all of it. */
function standingOf(value: string): Omit<LedgerField, 'field'> {
  const [, points, version, granted] = /^(\d+)(?:v(\d+))?;(\d*)/.exec(value) ?? [];
  return {
    points: Number(points),
    version: points === '0' && version === undefined ? null : Number(version ?? 1),
    grantedAtMs: granted ? Number(granted) : null,
  };
}
