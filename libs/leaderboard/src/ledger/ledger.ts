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
   * Whether what does not stand in Redis yet is stored. Default true. False is for who only reads: nothing is written, and
   * every board of this ledger must stand there.
   */
  readonly stores?: boolean;
}

/**
 * What members were granted, day by day, and the boards that are the sums of it. One script call moves ledgers and
 * boards together: a transition is judged once, however often, in whatever order and by however many processes it is
 * delivered.
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
  /** Whether what is stored was found to fit: from then on the number of shards is followed where it changes. */
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
   * Compares what the data under the prefix was made with, as Redis has it, with what this ledger is configured with, and
   * stores what does not stand there yet: number of shards, time zone, `maxPoints` and the boards. Brings the script to every
   * server, and finds out the version of the terms. One round trip, two with terms; where there is something to store, or
   * with first days, one more each.
   * @throws LeaderboardError `shardCountMismatch` where data lies there in another number of shards, `formatMismatch` where
   * it is of another format, `settingsMismatch` where this ledger would misread it, naming both values and what to do.
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

  /** Lets go of connections of its own, which it has where it waits for replicas. The client that it was given stays open. */
  close(): void {
    this.members.close();
  }

  /**
   * Takes the number of shards that members have been moved to since, where they have: all that is asked from now on goes
   * there. True: it is another one than before. Calls that change something find out by themselves; reads go on in the old
   * shards until this is called, which are kept for ten seconds. One round trip.
   */
  syncShards(): Promise<boolean> {
    return this.inForce.sync();
  }

  /**
   * Where members lie: the mark is another one whenever a move to another number of shards has begun or ended in between.
   * For who reads in many calls. One round trip.
   */
  placement(): Promise<{ readonly mark: string; readonly isMoving: boolean }> {
    return this.inForce.placement();
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
   * it). Safe to repeat: what was judged already is then a `duplicate`. Where it fails, nothing is under way any more, boards
   * have what ledgers have, and repeating it does the rest.
   * @throws LeaderboardError `invalidArgument` before anything is done where a transition is malformed.
   */
  apply(transitions: readonly Transition[]): Promise<TransitionResult[]> {
    return this.recording.apply(transitions);
  }

  /**
   * As {@link apply}, for checked transitions ({@link checkTransition}) whose members all lie in `shard`: one script
   * call, one round trip, for each 500 of them. For callers that batch by shard themselves. Where ledgers are kept for more
   * than 40 days, transitions that concern other days too cost a second round trip, in which the members' days are read
   * first.
   * @throws LeaderboardError `invalidArgument` before anything is done where there is no board of a name.
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
   * The ledgers of several members from one day to another, both included; days without one are left out. One round trip;
   * two where days are many, and are listed because ledgers are kept for more than 40 of them.
   * @throws LeaderboardError `invalidArgument` as {@link history}.
   */
  histories(members: readonly string[], from: Period, to: Period): Promise<LedgerDay[][]> {
    return this.ledgers.histories(members, from, to);
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
   * The days on which members were first seen, `2026-11-20`, in the order asked; null where it is not known: none is
   * unless the ledger keeps them, nor of who came within 31 days after it began to on data that was there before. One
   * round trip a shard.
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
   * Takes a member off all boards, or puts him back where he would stand: his entries are moved to sets beside the boards,
   * and what he is granted meanwhile is written there. On up to 1,000 boards, periods and parts counted, all reads see it
   * at one moment. About four round trips. Safe to repeat, also where it was cut short. False where another call, to the
   * other place, came between: where he stands is for that one to say.
   */
  move(member: string, place: Place): Promise<boolean> {
    checkedMember(member);
    return this.inForce.inShards(() => this.excluded.move(member, this.shardOf(member), place));
  }

  /**
   * Takes a member out of everything that is kept of him: boards of all periods, frozen ones as well, rolling windows,
   * ledgers, lists, windows of limits. From its first step on transitions of the member, and those that name them, are refused
   * (`rejected`, `erased`), until the ledger of today takes no more: what was on its way brings nobody back. Safe to repeat, and
   * to be repeated where it was cut short. Looks at every key there is: about a second for a million of them.
   * @param naming how fields of others' ledgers name him, where they do: those are renamed, and keep their points. Looks
   * into every ledger: about five seconds for a million of ten fields, in calls of half a millisecond.
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
   * Lets a member in again whom {@link erase} has refused since; true: they had been. Four round trips.
   * @throws LeaderboardError `unavailable` while members are moved to another number of shards.
   */
  async readmit(member: string): Promise<boolean> {
    checkedMember(member);
    return this.unmoved(() => this.inForce.inShards(() => this.erased.readmit(member)));
  }

  /** Those of the members who were erased and are refused still. One round trip, one more for each further 1,000. */
  async erasedAmong(members: readonly string[]): Promise<ReadonlySet<string>> {
    members.forEach(checkedMember);
    return this.inForce.inShards(() => this.erased.among(members));
  }

  /** Runs what changes all that is kept of members, while they do not move: a copy of it may be made meanwhile. */
  private async unmoved<T>(work: () => Promise<T>): Promise<T> {
    const before = await this.placement();
    if (before.isMoving) throw new MembersMovedError();
    const result = await work();
    if ((await this.placement()).mark !== before.mark) throw new MembersMovedError();
    return result;
  }

  /** Takes a member out of one period of a board, shown or beside; true: he was on it. One round trip. */
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
   * What stands of what a member was granted from a moment on, as far as ledgers are kept. On that moment's own day this
   * includes what stood before and was granted again since, without points. A round trip a day.
   */
  standingSince(member: string, sinceMs: number): Promise<StandingGrant[]> {
    checkedMember(member);
    return this.inForce.inShards(() => this.grants.since(member, this.shardOf(member), sinceMs));
  }

  /**
   * By their keys, the parts of partitioned boards on which a member stands on the day of a moment. Ledgers do not know the
   * part of a grant: where he stands on several of one board, none is named.
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
