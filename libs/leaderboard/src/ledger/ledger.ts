import { LeaderboardError } from '../errors/errors';
import { checkedMember } from '../keys/keys';
import type { Period } from '../time/period';
import { sum } from '../lists/lists';
import { MembersMovedError } from './sharding/guard';
import type { RedisClient } from '../redis/redis-client';
import { ErasedMembers } from './members/erased-members';
import { Erasure, type Erased } from './members/erasure';
import { ExcludedMembers, type MemberChanges, type Place } from './members/excluded-members';
import { FirstDays } from './history/first-days';
import type { FieldsNaming } from './history/foreign-fields';
import { Histories } from './history/histories';
import { LedgerBoards } from './ledger-boards';
import type {
  LedgerDay,
  LedgerLine,
  LedgerOptions,
  LimitQuota,
  Transition,
  TransitionResult,
} from './model/ledger.types';
import { QuotaReader, type QuotaOptions, type QuotaQuestion } from './limits/quota';
import { Recording } from './recording/recording';
import { SettingsStore } from './settings/settings-store';
import { StandingGrants, type StandingGrant } from './history/standing-grants';
import { readStreaks } from './history/streaks';
import { TermsRegister, type LedgerTerms } from './settings/terms';
import { WrittenBoards } from './periods/written-boards';

/** How {@link Ledger.prepare} prepares. */
export interface PrepareOptions {
  /**
   * Whether to store settings that Redis does not have yet. Default true. False is for readers: nothing is written, and
   * Redis must know every board of this ledger.
   */
  readonly stores?: boolean;
}

/**
 * Members' grants, day by day, and the boards that are their sums. One script call moves ledgers and boards together: a
 * transition is judged once, however often, in whatever order and by however many processes it is delivered.
 */
export class Ledger extends LedgerBoards {
  private readonly excluded: ExcludedMembers;
  private readonly erasure: Erasure;
  private readonly erased: ErasedMembers;
  private readonly grants: StandingGrants;
  private readonly register: TermsRegister;
  private readonly recording: Recording;
  private readonly ledgers: Histories;
  private readonly quotas: QuotaReader;
  private readonly firstSeen: FirstDays;
  private readonly settingsStore: SettingsStore;
  /** Whether the stored settings fit: from then on this ledger follows changes of the number of shards. */
  private isPrepared = false;

  /** @throws LeaderboardError `invalidOption`, naming the option, its value and what is allowed. */
  constructor(redis: RedisClient, options: LedgerOptions) {
    super(redis, options);
    const { settings, calendar, registry, members, inForce } = this;
    const boards = new WrittenBoards(redis, settings, calendar, registry);
    this.register = new TermsRegister(redis, settings);
    const { register } = this;
    this.recording = new Recording(redis, { settings, calendar, registry, register, members, inForce });
    this.ledgers = new Histories(redis, settings);
    this.excluded = new ExcludedMembers(redis, settings, boards, members);
    this.grants = new StandingGrants(redis, settings, calendar, boards);
    this.erasure = new Erasure(redis, settings, calendar, boards, members);
    this.erased = new ErasedMembers(redis, settings, calendar, members);
    this.quotas = new QuotaReader(redis, settings);
    this.firstSeen = new FirstDays(redis, settings);
    this.settingsStore = new SettingsStore(redis, settings);
  }

  /**
   * Compares the stored settings of the prefix's data with this ledger's, and stores the missing ones: number of
   * shards, time zone, `maxPoints` and the boards. Loads the scripts into every server, and finds the version of the
   * terms. One round trip, two with terms; one more each for settings to store and for first days.
   * @throws LeaderboardError `shardCountMismatch` if the data has another number of shards, `formatMismatch` if it has
   * another format, `settingsMismatch` if this ledger would misread it, naming both values and what to do.
   */
  async prepare({ stores = true }: PrepareOptions = {}): Promise<void> {
    const [found] = await Promise.all([this.settingsStore.read(), this.recording.load()]);
    if (this.isPrepared) await this.syncShards();
    const agreement = await this.settingsStore.agree(found, stores);
    this.isPrepared = true;
    if (!stores) return;
    const version = await this.register.register();
    await this.settingsStore.storeTerms(version, agreement);
    if (this.settings.keepsFirstDays) await this.firstSeen.begin(agreement.isNew);
  }

  /** Closes the extra connections that wait for replicas. The given client stays open. */
  close(): void {
    this.members.close();
  }

  /**
   * Follows a resharding: all later calls use the new number of shards. True: the number changed. Calls that change
   * something notice a resharding by themselves; reads use the old shards until this call, and the old shards stay for
   * ten seconds. One round trip.
   */
  syncShards(): Promise<boolean> {
    return this.inForce.sync();
  }

  /**
   * A mark that differs whenever a resharding has begun or ended in between, for readers that need many calls. One
   * round trip.
   */
  placement(): Promise<{ readonly mark: string; readonly isMoving: boolean }> {
    return this.inForce.placement();
  }

  /** The version of the terms by which points are granted now. One round trip, none if known. */
  async version(): Promise<number> {
    return this.register.known ?? this.register.register();
  }

  /**
   * The version of other terms, for transitions that name it: their stored version, else the next. The terms in force
   * stay in force. One round trip.
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
   * in the order of the transitions. Costs one round trip a shard concerned (and one for each further 500 transitions
   * of it). Safe to repeat: a transition that was judged already is then a `duplicate`. After a failure nothing is
   * under way any more, boards equal their ledgers, and repeating completes the rest.
   * @throws LeaderboardError `invalidArgument` before anything is done if a transition is malformed.
   */
  apply(transitions: readonly Transition[]): Promise<TransitionResult[]> {
    return this.recording.apply(transitions);
  }

  /**
   * As {@link apply}, for checked transitions (`checkTransition`) whose members all lie in `shard`: one script
   * call, one round trip, for each 500 of them. For callers that batch by shard themselves. If ledgers live longer than
   * 40 days, transitions that concern other days cost a second round trip, which reads the members' days first.
   * @throws LeaderboardError `invalidArgument` before anything is done if a board's name is unknown.
   */
  applyToShard(shard: number, transitions: readonly Transition[]): Promise<TransitionResult[]> {
    return this.recording.applyToShard(shard, transitions);
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
  history(member: string, from: Period, to: Period): Promise<LedgerDay[]> {
    return this.ledgers.history(member, from, to);
  }

  /**
   * The ledgers of several members from one day to another, both included; days without a ledger are left out. One
   * round trip; two if ledgers live longer than 40 days and the range is long.
   * @throws LeaderboardError `invalidArgument` as {@link history}.
   */
  histories(members: readonly string[], from: Period, to: Period): Promise<LedgerDay[][]> {
    return this.ledgers.histories(members, from, to);
  }

  /**
   * For how many days in a row members stood on a board of days, up to the day that holds `atMs`; up to the day before
   * if that day is not over and they do not stand on it yet. At most `longest` days. One round trip a shard.
   * @throws LeaderboardError `invalidArgument` if there is no such board, or its periods are no days.
   */
  async streaks(
    board: string,
    members: readonly string[],
    { atMs, longest }: { readonly atMs: number; readonly longest: number },
  ): Promise<number[]> {
    const found = this.boardPeriods.named(board);
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
   * The days on which members were first seen, `2026-11-20`, in the order asked. Null if not known: the ledger does not
   * keep first days, or the member came within 31 days after it began to keep them on existing data. One round trip a
   * shard.
   */
  async firstDays(members: readonly string[]): Promise<(string | null)[]> {
    members.forEach(checkedMember);
    return this.settings.keepsFirstDays ? this.firstSeen.find(members) : members.map(() => null);
  }

  /**
   * Each field of one day of a member's ledger with its moments, the earliest grant first. One round trip, two where a
   * revoke of a later day may have ended something.
   * @throws LeaderboardError `invalidArgument` where `day` is no day.
   */
  lines(member: string, day: Period): Promise<LedgerLine[]> {
    return this.ledgers.lines(member, day);
  }

  private tagOf(member: string): string {
    return this.settings.tags[this.shardOf(member)] as string;
  }

  /**
   * Excludes a member from all boards, or restores them. Entries of an excluded member lie in sets beside the boards,
   * and so do their new points. On up to 1,000 boards, periods and partitions counted, all reads see the move at one
   * moment. About four round trips. Safe to repeat, also after an interruption. False if a call in the other direction
   * came between: then that call decides.
   */
  move(member: string, place: Place): Promise<boolean> {
    checkedMember(member);
    return this.inForce.inShards(() => this.excluded.move(member, this.shardOf(member), place));
  }

  /**
   * Removes every trace of a member: boards of all periods, frozen ones as well, rolling windows, ledgers, lists,
   * sliding windows. From its first step, transitions of the member, and those that name them, are refused (`rejected`,
   * `erased`) until the ledger of today accepts no more, so a late transition cannot bring the member back. Safe to
   * repeat; repeat it after an interruption. Scans every key: about a second for a million keys.
   * @param naming how fields of other members' ledgers name the member, if they do: these fields are renamed, and keep
   * their points. Looks into every ledger: about five seconds for a million ledgers of ten fields, in calls of half a
   * millisecond.
   * @throws LeaderboardError `unavailable` while members are moved to another number of shards.
   */
  async erase(member: string, naming: FieldsNaming | null = null): Promise<Erased> {
    checkedMember(member);
    return this.unmoved(async () => {
      await this.inForce.inShards(() => this.erased.refuse(member));
      return this.inForce.inShards(() => this.erasure.erase(member, this.shardOf(member), naming));
    });
  }

  /**
   * Readmits an erased member; true: {@link erase} had refused them. Four round trips.
   * @throws LeaderboardError `unavailable` while members are moved to another number of shards.
   */
  async readmit(member: string): Promise<boolean> {
    checkedMember(member);
    return this.unmoved(() => this.inForce.inShards(() => this.erased.readmit(member)));
  }

  /**
   * The erased ones among the members, as long as they are refused. One round trip, one more for each further 1,000.
   */
  async erasedAmong(members: readonly string[]): Promise<ReadonlySet<string>> {
    members.forEach(checkedMember);
    return this.inForce.inShards(() => this.erased.among(members));
  }

  /** Runs work on all data of members; refuses if a resharding runs meanwhile, which may copy that data. */
  private async unmoved<T>(work: () => Promise<T>): Promise<T> {
    const before = await this.placement();
    if (before.isMoving) throw new MembersMovedError();
    const result = await work();
    if ((await this.placement()).mark !== before.mark) throw new MembersMovedError();
    return result;
  }

  /**
   * Removes a member from one period of a board, whether shown or excluded; true: they had an entry. One round trip.
   */
  async eraseFrom(board: string, period: Period, member: string, partition: string | null = null): Promise<boolean> {
    checkedMember(member);
    return this.inForce.inShards(async () => {
      const { keys: shown, asideKeys } = this.boardPeriods.boardPeriod(board, period, partition);
      const shard = this.shardOf(member);
      const sets = [shown[shard] as string, asideKeys[shard] as string];
      return (await this.erasure.eraseFrom(this.settings.tags[shard] as string, member, sets)) > 0;
    });
  }

  /** Takes a member out of rolling windows, until they are put together anew. Two round trips. */
  async eraseFromWindows(member: string): Promise<void> {
    checkedMember(member);
    await this.inForce.inShards(() => this.erasure.eraseFromWindows(member, this.shardOf(member)));
  }

  /**
   * A member's standing grants from a moment on, as far as ledgers are kept. On the first day this includes older
   * grants that were repeated since, without points. A round trip a day.
   */
  standingSince(member: string, sinceMs: number): Promise<StandingGrant[]> {
    checkedMember(member);
    return this.inForce.inShards(() => this.grants.since(member, this.shardOf(member), sinceMs));
  }

  /**
   * By partition key, the partitions on which a member stands on the day of a moment. Ledgers do not know the partition
   * of a grant: of a board where the member stands on several partitions, none is named.
   */
  partsAt(member: string, atMs: number): Promise<Record<string, string>> {
    checkedMember(member);
    return this.inForce.inShards(() => this.grants.partsAt(member, this.shardOf(member), atMs));
  }

  /** Whether the member is kept off the boards by {@link move}. One round trip. */
  isAside(member: string): Promise<boolean> {
    return this.excluded.isExcluded(checkedMember(member), this.shardOf(member));
  }

  /** How often entries of a shard were moved beside its boards or back, and erased. One round trip. */
  changesOf(shard: number): Promise<MemberChanges> {
    return this.excluded.changesOf(shard);
  }

  /** How often somebody was taken off boards for good, so far. One round trip. */
  async countErasures(): Promise<number> {
    const ofShards = await Promise.all([...this.settings.tags.keys()].map((shard) => this.changesOf(shard)));
    return sum(ofShards.map(({ erasures }) => Number(erasures)));
  }
}
