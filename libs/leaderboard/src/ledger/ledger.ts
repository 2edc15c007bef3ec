import { BoardReader, type BoardReaderOptions, packedLayout, type PackedScore, WholeBoard } from '../board';
import { checkedMember } from '../keys/keys';
import { cachedWith } from '../lists/lists';
import type { RedisClient } from '../redis/run';
import type { Period } from '../time/period';
import { FirstDays } from './history/first-days';
import { Histories } from './history/histories';
import { OldDays } from './history/old-days';
import { StandingGrants } from './history/standing-grants';
import { Streaks } from './history/streaks';
import { Erasure } from './members/erasure';
import { Merging } from './members/merging';
import { NamedGrants } from './members/named-grants';
import { ExcludedMembers } from './members/excluded-members';
import { quotasOf, type QuotaQuestion } from './limits/quota';
import { checkBoards, type LedgerSettings } from './model/ledger-options';
import type { LedgerBoard, LedgerOptions, LimitQuota, Transition, TransitionResult } from './model/ledger.types';
import { BoardPeriods } from './periods/board-periods';
import { type BoardPeriod, leastShown, mostShown } from './periods/calendar';
import { LedgerContext } from './periods/ledger-context';
import { WrittenBoards } from './periods/written-boards';
import { FactReader } from './recording/member-ledger';
import { Recording } from './recording/recording';
import { SettingsStore } from './settings/settings-store';
import { TermsRegister } from './settings/terms';
import type { MemberScripts } from './sharding/guard';

/** How {@link Ledger.prepare} prepares. */
export interface PrepareOptions {
  /** Whether to store missing settings. Default true; false is for readers, whose boards Redis must all know. */
  readonly stores?: boolean;
}

/**
 * Members' grants, day by day, and the boards that are their sums. One script call moves ledgers and boards together: a
 * transition is judged once, however often, in whatever order and by however many processes it is delivered.
 */
export class Ledger {
  /** The options with all defaults. */
  readonly settings: LedgerSettings;
  /** Runs the scripts that change members' data, also for services beside the ledger. */
  readonly members: MemberScripts;
  /** The periods of its boards: which there are, and how far they are. */
  readonly periods: BoardPeriods;
  /** Members' ledgers, day by day. */
  readonly history: Histories;
  /** The grants of a member that stand. */
  readonly grants: StandingGrants;
  /** The grants that name a member, or a subject, in the ledgers of others. */
  readonly named: NamedGrants;
  /** For how many days in a row members stood on a board. */
  readonly streaks: Streaks;
  /** On which day members were first seen. */
  readonly firstDays: FirstDays;
  /** Excluded members. */
  readonly excluded: ExcludedMembers;
  /** Removes members for good. */
  readonly erasure: Erasure;
  /** Makes two members one. */
  readonly merging: Merging;
  /** The rules by which points are granted, by their versions. */
  readonly terms: TermsRegister;
  /** Members' facts, and what stands of them. */
  readonly facts: FactReader;
  private readonly context: LedgerContext;
  private readonly recording: Recording;
  private readonly settingsStore: SettingsStore;
  private readonly oldDays: OldDays;
  private readonly readers = new WeakMap<BoardPeriod, BoardReader>();
  /** Whether the stored settings fit: from then on this ledger follows changes of the number of shards. */
  private isPrepared = false;

  /** @throws LeaderboardError `invalidOption`, naming the option, its value and what is allowed. */
  constructor(redis: RedisClient, options: LedgerOptions) {
    const context = new LedgerContext(redis, options);
    const { settings, members } = context;
    const boards = new WrittenBoards(context);
    this.context = context;
    this.settings = settings;
    this.members = members;
    this.facts = new FactReader(context);
    this.periods = new BoardPeriods(context);
    this.history = new Histories(this.facts);
    this.grants = new StandingGrants(this.facts);
    this.named = new NamedGrants(this.facts);
    this.streaks = new Streaks(context, this.periods);
    this.firstDays = new FirstDays(context);
    this.excluded = new ExcludedMembers(context, boards);
    this.erasure = new Erasure(context, boards, this.periods, this.facts);
    this.oldDays = new OldDays(this.facts);
    this.terms = new TermsRegister(redis, settings);
    this.recording = new Recording(context, this.terms);
    this.merging = new Merging(this.facts, this.recording, this.erasure);
    this.settingsStore = new SettingsStore(redis, settings);
  }

  /** How many shards the members are spread over. */
  get shards(): number {
    return this.settings.tags.length;
  }

  /** The shard that holds everything of `member`. */
  shardOf(member: string): number {
    return this.context.shardOf(member);
  }

  /**
   * Compares the stored settings of the prefix's data with this ledger's, and stores the missing ones: number of
   * shards, time zone, `maxPoints` and the boards. Loads the scripts into every server, and finds the version of the
   * terms. One round trip, two with terms; one more each for settings to store and for first days.
   * @throws LeaderboardError `shardCountMismatch` if the data has another number of shards, `formatMismatch` if it has
   * another format, `settingsMismatch` if this ledger would misread it, naming both values and what to do.
   */
  async prepare({ stores = true }: PrepareOptions = {}): Promise<void> {
    const [read] = await Promise.all([this.settingsStore.read(), this.recording.load()]);
    if (this.isPrepared) await this.syncShards();
    const { found, isNew } = await this.settingsStore.agree(read, stores);
    this.settingsStore.takeMemory(found);
    this.isPrepared = true;
    if (!stores) return;
    const version = await this.terms.register();
    await this.settingsStore.storeTerms(version, found);
    if (this.settings.keepsFirstDays) await this.firstDays.begin(isNew);
  }

  /**
   * Feeds these boards from now on beside those of the options, instead of those that were added before. Call
   * {@link prepare} then; a repair (`LedgerAudit`) fills them, partitions as far as facts have their key.
   * @throws LeaderboardError `invalidOption`
   */
  feedAlso(boards: readonly LedgerBoard[]): void {
    const { boardsInForce } = this.settings;
    checkBoards([...boardsInForce.own, ...boards]);
    boardsInForce.add(boards);
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
    return this.context.inForce.sync();
  }

  /** Changes whenever a resharding begins or ends; for readers that need many calls. One round trip. */
  placement(): Promise<{ readonly mark: string; readonly isMoving: boolean }> {
    return this.context.inForce.placement();
  }

  /**
   * Judges transitions of any members, in the order given for each member, and moves ledgers and boards. Results come
   * in the order of the transitions. Plain grants cost one round trip for each 500 of a shard, what has to be judged
   * two or three more. Safe to repeat: a transition that was judged already is then a `duplicate`. After a failure
   * boards equal their ledgers, and repeating the call completes the rest.
   * @throws LeaderboardError `invalidArgument` before anything is done if a transition is malformed.
   */
  apply(transitions: readonly Transition[]): Promise<TransitionResult[]> {
    return this.recording.apply(transitions);
  }

  /**
   * As {@link apply}, for checked transitions (`checkTransition`) whose members all lie in `shard`. For callers that
   * batch by shard themselves.
   * @throws LeaderboardError `invalidArgument` before anything is done if a board's name is unknown.
   */
  applyToShard(shard: number, transitions: readonly Transition[]): Promise<TransitionResult[]> {
    return this.recording.applyToShard(shard, transitions);
  }

  /** Gives owners what a crashed process had committed by a moment and not given. Safe to repeat and to interrupt. */
  payOwed(beforeMs: number, signal?: AbortSignal): Promise<void> {
    return this.recording.payOwed(beforeMs, signal);
  }

  /**
   * How much of each limit a member has used at a moment, and how much is left, as a grant of that moment would be
   * judged; null if the question lacks something that the limit needs, or the moment is outside of the limit's period.
   * Reads the facts of the days that the limits look at: two round trips, seldom more.
   */
  quotaOf(
    member: string,
    questions: readonly QuotaQuestion[],
    { atMs = this.settings.clock.now() }: { readonly atMs?: number } = {},
  ): Promise<(LimitQuota | null)[]> {
    return quotasOf(this.facts, checkedMember(member), questions, atMs);
  }

  /**
   * Packs the ledgers of days that ended 31 days ago or earlier, and drops packed days past the ledgers' retention;
   * returns how many were packed. Call it at least once a day: reads miss a ledger that is not packed 62 days after its
   * day. Scans all keys, in calls of a few milliseconds. Safe to repeat and to interrupt, while recording continues.
   * @param options `signal` ends it between two calls, with the reason for which it was aborted.
   */
  pack(options: { readonly signal?: AbortSignal } = {}): Promise<number> {
    return this.oldDays.pack(options.signal);
  }

  /**
   * Reads of one board for one period, live: nothing is cached. Entries below the board's `floor` do not show.
   * @param partition which part of a partitioned board.
   * @throws LeaderboardError `invalidArgument` where there is no such board, or the period is not of its kind.
   */
  board(name: string, period: Period, partition: string | null = null): BoardReader {
    const board = this.periods.boardPeriod(name, period, partition);
    return cachedWith(this.readers, board, () => this.readerOf(board.board, board.score, { keys: board.keys }));
  }

  /** As {@link board}, for the excluded members alone. */
  aside(name: string, period: Period, partition: string | null = null): BoardReader {
    const { board, score, asideKeys } = this.periods.boardPeriod(name, period, partition);
    return this.readerOf(board, score, { keys: asideKeys });
  }

  /** A board with all entries, those of excluded members included. */
  everyone(name: string, period: Period, partition: string | null = null): WholeBoard {
    const { board, keys, asideKeys, score } = this.periods.boardPeriod(name, period, partition);
    const [layout, minScore] = [packedLayout(score, mostShown(board)), leastShown(board, score)];
    return new WholeBoard(this.context.redis, { keys, asideKeys, layout, minScore });
  }

  /** Reads of sets that show what a board shows, its own or others made of them, whose entries are packed so. */
  readerOf(board: LedgerBoard, score: PackedScore, sets: Pick<BoardReaderOptions, 'keys' | 'ready'>): BoardReader {
    const { denseMaxAgeMs, headMaxAgeMs, clock } = this.settings;
    const [layout, minScore] = [packedLayout(score, mostShown(board)), leastShown(board, score)];
    return new BoardReader(this.context.redis, { ...sets, layout, minScore, denseMaxAgeMs, headMaxAgeMs, clock });
  }
}
