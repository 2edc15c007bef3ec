import { dayMs } from '../../time/days';
import { systemClock } from '../../time/clock';
import { checkedSetting, LeaderboardError, invalidOption } from '../../errors/errors';
import { checkedPrefix } from '../../keys/keys';
import { defaultShards } from '../../keys/shard';
import { checkedTimezone } from '../../time/period';
import { cutOf } from '../../time/cuts';
import { kindOf, type PeriodKind, type PeriodSpec } from '../../time/period-spec';
import { defaultMaxPoints } from '../../board';
import { BoardsInForce } from './boards-in-force';
import { ShardLayout } from './shard-layout';
import type { FieldLaw, Laws } from '../facts/laws';
import type { FieldNames, LedgerBoard, LedgerOptions } from './ledger.types';
import type { RedisClient } from '../../redis/run';
import type { WaitForReplicas } from '../../redis/replicated';

const giftPrefix = 'gift:';

/** The prefix of the fields of a member's gifts. */
export function giftStem(member: string): string {
  return `${giftPrefix}${member.length}:${member}`;
}

/** Fields are named by themselves. */
const wholeNames: FieldNames = {
  short: (field) => field,
  long: (name) => name,
  isPaged: (name) => name.startsWith(giftPrefix),
  subject: (name) => name,
  giver: (name) => {
    const [head = '', length] = /^gift:(\d+):/.exec(name) ?? [];
    const giver = name.slice(head.length, head.length + Number(length ?? 0));
    // An erased giver's name begins so.
    return giver === '' || giver.startsWith('#') ? null : giver;
  },
  gift: (member, name) => ({ field: giftStem(member) + name, texts: [member] }),
};

/** Each field counts once a day, on every board that is no tally, without limits. */
const plainLaw: FieldLaw = Object.freeze({ once: 1, limits: [], boards: undefined });
const plainLaws: Laws = { of: () => plainLaw };

/** {@link LedgerOptions} with every default filled in, checked and frozen. */
export interface LedgerSettings extends Required<Omit<LedgerOptions, 'part' | 'shards'>> {
  /** The shards' tags, of as many as there are now: see {@link layout}. */
  readonly tags: readonly string[];
  readonly layout: ShardLayout;
  /** Whether their number was configured: if not, it is that of the data. */
  readonly hasOwnShards: boolean;
  /** The source of {@link boards}. */
  readonly boardsInForce: BoardsInForce;
  /** The keys by which boards are partitioned, or say what they count; none, usually. */
  readonly partitionKeys: readonly string[];
  /** Of all boards, tallies too. */
  readonly boardNames: readonly string[];
  readonly waitForReplicas: Required<WaitForReplicas> | null;
  /** The earliest day whose ledgers may lie in memory without a note in `old`, once the layout was read. */
  readonly memory: { firstDay: number | null };
}

/** @throws LeaderboardError `invalidOption`, naming the option, its value and the allowed values. */
export function ledgerSettings(redis: RedisClient, options: LedgerOptions): LedgerSettings {
  const { prefix = 'lr', part = null, shards = defaultShards(redis), timezone = 'UTC', boards } = options;
  const { ledgerRetentionMs = longestShown(boards), clockSkewMs = 300_000, maxPoints = defaultMaxPoints } = options;
  const { terms = null, about = null, aboutFaults = () => [], acceptChanges = [], clock = systemClock } = options;
  const { laws = plainLaws, fieldNames = wholeNames, keepsFirstDays = false, waitForReplicas = null } = options;
  const { denseMaxAgeMs = 0, headMaxAgeMs = 0 } = options;
  checkBoards(boards);
  if (boards.length === 0) throw invalidOption('boards is empty: a ledger feeds at least one board.');
  if (ledgerRetentionMs !== null) checkedDuration('ledgerRetentionMs', ledgerRetentionMs);
  const layout = new ShardLayout(shards);
  const boardsInForce = new BoardsInForce(boards);
  return Object.freeze({
    // No prefix holds an "@": no other prefix's keys can meet these.
    prefix: checkedPrefix('prefix', prefix) + (part === null ? '' : `@${checkedName('part', part)}`),
    layout,
    hasOwnShards: options.shards !== undefined,
    get tags() {
      return layout.tags;
    },
    timezone: checkedTimezone(timezone),
    boardsInForce,
    get boards() {
      return boardsInForce.current;
    },
    memory: { firstDay: null },
    get boardNames() {
      return boardsInForce.current.map(({ name }) => name);
    },
    get partitionKeys() {
      return boardsInForce.partitionKeys;
    },
    ...{ ledgerRetentionMs, maxPoints, terms, about, aboutFaults, acceptChanges, laws, fieldNames, keepsFirstDays },
    clockSkewMs: checkedDuration('clockSkewMs', clockSkewMs),
    denseMaxAgeMs: checkedDuration('denseMaxAgeMs', denseMaxAgeMs),
    headMaxAgeMs: checkedDuration('headMaxAgeMs', headMaxAgeMs),
    ...{ clock, waitForReplicas: checkedReplicas(waitForReplicas) },
  });
}

/** @throws LeaderboardError `invalidOption`, naming the board and the allowed values. */
export function checkBoards(boards: readonly LedgerBoard[]): void {
  const names = new Set<string>();
  for (const board of boards) {
    if (board.tallyOf == null) checkedName('boards[].name', board.name);
    else checkedTally(board, boards);
    if (names.has(board.name)) throw invalidOption(`Two boards are named "${board.name}".`);
    names.add(board.name);
    checkedPeriod(board);
    if (board.partition != null) checkPartitionKey(`boards "${board.name}": partition`, board.partition);
    for (const { partition } of board.where ?? []) checkPartitionKey(`boards "${board.name}": where`, partition);
    checkedDuration(`boards "${board.name}": latenessMs`, board.latenessMs);
    if (board.retentionMs !== null) checkedDuration(`boards "${board.name}": retentionMs`, board.retentionMs);
    if (board.maxPoints != null && !(Number.isSafeInteger(board.maxPoints) && board.maxPoints > 0)) {
      throw invalidOption(
        `boards "${board.name}": maxPoints is ${board.maxPoints}: use a whole number from 1, or null.`,
      );
    }
  }
}

const longestDays: Partial<Record<PeriodKind, number>> = {
  ...{ hour: 1, day: 1, week: 7, month: 31, quarter: 92, year: 366 },
};

/** As long as any board shows a day; null: for good. A period is no longer than its kind. */
export function longestShown(boards: readonly Pick<LedgerBoard, 'period' | 'retentionMs'>[]): number | null {
  let longest = 0;
  for (const { period, retentionMs } of boards) {
    const days = longestDays[kindOf(period)] ?? longestBetween(period);
    longest = Math.max(longest, (days + 1) * dayMs + (retentionMs ?? Infinity));
  }
  return longest === Infinity ? null : longest;
}

/** A season is a day shorter than this says; Infinity: of periods that are not cut at named days. */
function longestBetween(period: PeriodSpec): number {
  if (typeof period === 'string' || period.kind === 'rolling' || period.kind === 'week') return Infinity;
  const days = (period.kind === 'season' ? period.starts : [period.from, period.to]).map(
    (day) => Date.parse(day) / dayMs,
  );
  return Math.max(...days.slice(1).map((day, n) => day - Number(days[n]) + 1));
}

function checkedReplicas(wait: WaitForReplicas | null): Required<WaitForReplicas> | null {
  if (wait === null) return null;
  const { replicas, timeoutMs = 500 } = wait;
  return Object.freeze({
    replicas: checkedSetting('waitForReplicas.replicas', replicas, 1, 10),
    timeoutMs: checkedSetting('waitForReplicas.timeoutMs', timeoutMs, 10, 60_000),
  });
}

const namePattern = /^[a-z0-9_-]{1,32}$/;

/**
 * No part of a key can be taken for another.
 * @throws LeaderboardError `invalidOption` unless `name` is 1 to 32 of `a-z`, `0-9`, `-` and `_`.
 */
function checkedName(option: string, name: string): string {
  if (typeof name === 'string' && namePattern.test(name)) return name;
  throw invalidOption(`${option} is ${JSON.stringify(name)}: use 1 to 32 of a-z, 0-9, "-" and "_".`);
}

const tallyPattern = /^[a-z0-9_-]{1,32}\.[a-z0-9.]{1,16}$/;

/** A tally is cut, closed and kept as the board is that it stands beside. */
function checkedTally(tally: LedgerBoard, boards: readonly LedgerBoard[]): void {
  const board = boards.find(({ name, tallyOf }) => name === tally.tallyOf && tallyOf == null);
  const isAlike =
    board?.period === tally.period &&
    board.latenessMs === tally.latenessMs &&
    board.retentionMs === tally.retentionMs &&
    (board.partition ?? null) === (tally.partition ?? null);
  if (isAlike && tallyPattern.test(tally.name) && tally.name.startsWith(`${board.name}.`)) return;
  throw invalidOption(
    `boards "${tally.name}" is a tally of "${tally.tallyOf}": that must be a board of the same period, partition, ` +
      `lateness and retention, and the tally's name begin with "${tally.tallyOf}.".`,
  );
}

function checkedPeriod({ name, period }: LedgerBoard): void {
  let reason = 'a rolling window is made from boards of days';
  try {
    cutOf(period);
    if (kindOf(period) !== 'rolling') return;
  } catch (error) {
    if (!(error instanceof LeaderboardError)) throw error;
    reason = error.message;
  }
  throw invalidOption(`boards "${name}": period is ${JSON.stringify(period)}: ${reason}`);
}

const partitionKeyPattern = /^[A-Za-z][A-Za-z0-9_-]{0,31}$/;

/** @throws LeaderboardError `invalidOption` unless `key` is a letter and up to 31 letters, digits, `-` and `_`. */
function checkPartitionKey(option: string, key: string): void {
  if (partitionKeyPattern.test(key)) return;
  throw invalidOption(
    `${option} is ${JSON.stringify(key)}: use 1 to 32 of letters, digits, "-" and "_", a letter first.`,
  );
}

function checkedDuration(option: string, ms: number): number {
  if (Number.isSafeInteger(ms) && ms >= 0) return ms;
  throw invalidOption(`${option} is ${ms}: use a whole number of milliseconds from 0.`);
}
