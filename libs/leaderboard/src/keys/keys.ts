import { invalidArgument, invalidOption } from '../errors/errors';
import { dayNumber } from '../time/days';

/**
 * Every Redis key of the engine is named here. `{prefix:tag}` is the Cluster hash tag of one shard: it comes first, so
 * that braces in what follows, a member's id for one, cannot move a key to another slot; fixed parts come before free
 * ones and what is of free length comes last, so that no two names can meet.
 */
export const keys = {
  /**
   * One member's ledger of one day, `yyyymmdd`.
   * @redis hash: field -> fact, see ledger/facts/fact.ts; `*`: the fact lies in `always`
   * @expires ledger retention after the day's end; packed into `old` after 31 days
   */
  ledger: (prefix: string, tag: string, dayKey: string, member: string): string =>
    `{${prefix}:${tag}}:ledger:${dayKey}:${member}`,

  /**
   * A page of a ledger of a crowded day: what the ledger has no room for of what others gave. The page of a field is
   * the first two letters of its digest.
   * @redis hash: field -> fact
   * @expires with the ledger
   */
  page: (prefix: string, tag: string, dayKey: string, page: string, member: string): string =>
    `{${prefix}:${tag}}:page:${dayKey}:${page}:${member}`,

  /**
   * The totals of a day's pages: how many fields count, `=` and their points, `+`, by version and beginning; and of
   * each page, `@`, a moment at or after all that counts there.
   * @redis hash
   * @expires with the ledger
   */
  crowd: (prefix: string, tag: string, dayKey: string, member: string): string =>
    `{${prefix}:${tag}}:crowd:${dayKey}:${member}`,

  /**
   * One member's days past their time in memory.
   * @redis hash: number of the day -> its fields, see ledger/facts/old-day.ts; `yyyymmdd`: its ledger is in memory yet
   * @expires ledger retention after its last day
   */
  old: (prefix: string, tag: string, member: string): string => `{${prefix}:${tag}}:old:${member}`,

  /**
   * One member's facts without a day: those that count once for ever, adjustments, and the day of each `#id`.
   * @redis hash: field -> fact; `!` and a review: what it holds back
   * @expires never
   */
  always: (prefix: string, tag: string, member: string): string => `{${prefix}:${tag}}:always:${member}`,

  /**
   * One member's debts to owners: committed with the member's facts, kept until the owner's ledger has them.
   * @redis hash: `day field` -> JSON
   * @expires never
   */
  owed: (prefix: string, tag: string, member: string): string => `{${prefix}:${tag}}:owed:${member}`,

  /**
   * The members of the shard who owe something, by when they began to.
   * @redis sorted set: members
   * @expires never
   */
  owing: (prefix: string, tag: string): string => `{${prefix}:${tag}}:owing`,

  /**
   * What is left of limits for one member on the latest day: computed from the facts, again if missing.
   * @redis string: MessagePack, see record-grants.lua
   * @expires when its last window has passed
   */
  room: (prefix: string, tag: string, member: string): string => `{${prefix}:${tag}}:room:${member}`,

  /**
   * Members who are claimed for a moment, as a call judges them anew: until when, and by which call.
   * @redis hash: member -> `<ms> <token>`
   * @expires within seconds
   */
  claims: (prefix: string, tag: string): string => `{${prefix}:${tag}}:claims`,

  /**
   * One shard of a board for one period. Boards named `<board>.g.<code>` and `.r.` are tallies.
   * @redis sorted set: member -> packed score
   * @expires retention after the period's end, or later as `kept` says
   */
  board: (prefix: string, tag: string, board: string, periodKey: string): string =>
    `{${prefix}:${tag}}:board:${board}:${periodKey}`,

  /**
   * While the key exists, this shard of a board's period is frozen: no transition changes the board or its partitions.
   * @redis string
   * @expires as the board
   */
  frozen: (prefix: string, tag: string, board: string, periodKey: string): string =>
    `{${prefix}:${tag}}:frozen:${board}:${periodKey}`,

  /**
   * One shard of one partition of a board.
   * @redis sorted set: member -> packed score
   * @expires as its board
   */
  boardPart: (prefix: string, tag: string, board: string, periodKey: string, partition: string): string =>
    `{${prefix}:${tag}}:part:${board}:${periodKey}:${partition}`,

  /**
   * The names of the partitions that one shard has of a board's period.
   * @redis sorted set: names, all of score 0
   * @expires as its board
   */
  boardParts: (prefix: string, tag: string, board: string, periodKey: string): string =>
    `{${prefix}:${tag}}:parts:${board}:${periodKey}`,

  /**
   * Beside one shard of a board: the entries of excluded members.
   * @redis sorted set: member -> packed score
   * @expires as its board
   */
  aside: (prefix: string, tag: string, board: string, periodKey: string): string =>
    `{${prefix}:${tag}}:aside:${board}:${periodKey}`,

  /**
   * Beside one shard of one partition: the entries of excluded members.
   * @redis sorted set: member -> packed score
   * @expires as its board
   */
  asidePart: (prefix: string, tag: string, board: string, periodKey: string, partition: string): string =>
    `{${prefix}:${tag}}:aside-part:${board}:${periodKey}:${partition}`,

  /**
   * Members whose entries lie beside the boards (score 1), or are on their way back (0).
   * @redis sorted set: members
   * @expires never
   */
  excluded: (prefix: string, tag: string): string => `{${prefix}:${tag}}:excluded`,

  /**
   * Members of whom something is held back, as a field of `always` has it: what they are granted is judged.
   * @redis sorted set: members
   * @expires never
   */
  holding: (prefix: string, tag: string): string => `{${prefix}:${tag}}:holding`,

  /**
   * Digests of erased members, by the moment until which they are refused, and their salt; the same on every shard.
   * @redis sorted set: digests
   * @expires with its last digest
   */
  erased: (prefix: string, tag: string): string => `{${prefix}:${tag}}:erased`,

  /**
   * The names of the rolling windows, of their drafts and of the sums of days that are over, by when they are gone.
   * @redis sorted set: names
   * @expires never
   */
  windows: (prefix: string, tag: string): string => `{${prefix}:${tag}}:windows`,

  /** The key of a shard by what follows its tag, as lists of keys name it. */
  named: (prefix: string, tag: string, name: string): string => `{${prefix}:${tag}}:${name}`,

  /**
   * How often members were erased (`erasures`).
   * @redis hash
   * @expires never
   */
  changes: (prefix: string, tag: string): string => `{${prefix}:${tag}}:changes`,

  /**
   * The first day on which each member had a ledger. Only kept when first days are asked for.
   * @redis sorted set: member -> number of the day
   * @expires never
   */
  firstDays: (prefix: string, tag: string): string => `{${prefix}:${tag}}:first-days`,

  /**
   * The general revokes of each of one member's fields, the latest of each day.
   * @redis hash: field -> moments
   * @expires ledger retention after the last one
   */
  revokes: (prefix: string, tag: string, member: string): string => `{${prefix}:${tag}}:revokes:${member}`,

  /**
   * The shard's keys that name a user without being found by the user's id alone: hashes with such a field, or with a
   * fact that names the user as its owner and gave them nothing. The list's own name ends with the text by which they
   * name the user: the id, a subject or a digest.
   * @redis sorted set: names of keys, after their tag, by when they expire
   * @expires with the last of them
   */
  naming: (prefix: string, tag: string, text: string): string => `{${prefix}:${tag}}:naming:${text}`,

  /**
   * How far a resharding is with this shard.
   * @redis string: `<run>:copying|sealed|filling|open`
   * @expires never; gone after the resharding
   */
  moving: (prefix: string, tag: string): string => `{${prefix}:${tag}}:moving`,

  /**
   * Changes of this shard while a resharding copied its members.
   * @redis set: names of keys, names of sorted sets, or members
   * @expires never; gone after the resharding
   */
  written: (prefix: string, tag: string, what: 'keys' | 'sets' | 'members'): string =>
    `{${prefix}:${tag}}:written:${what}`,

  /**
   * Written beside what must be on replicas before it is acknowledged.
   * @redis string
   * @expires never
   */
  confirmed: (prefix: string, tag: string): string => `{${prefix}:${tag}}:confirmed`,

  /**
   * How the data was made: shards, format, stored settings, start of first days, state of a resharding, salt of
   * `erased`.
   * @redis hash
   * @expires never
   */
  layout: (prefix: string): string => `{${prefix}}:layout`,

  /**
   * The periods of a board that were written.
   * @redis sorted set: periods by their start
   * @expires never
   */
  periods: (prefix: string, board: string): string => `{${prefix}}:periods:${board}`,

  /**
   * The periods of a board that are archived and announced.
   * @redis sorted set: periods by their start
   * @expires never
   */
  settled: (prefix: string, board: string): string => `{${prefix}}:settled:${board}`,

  /**
   * The settled periods of a board that stay longer than its retention says, by until when.
   * @redis sorted set: periods
   * @expires never
   */
  kept: (prefix: string, board: string): string => `{${prefix}}:kept:${board}`,

  /**
   * The versions of the rules by which points were granted.
   * @redis hash: version -> first use and JSON
   * @expires never
   */
  terms: (prefix: string): string => `{${prefix}}:terms`,

  /**
   * One shard of a `Leaderboard`, under the caller's own key.
   * @redis sorted set: member -> score, or vectors of score 0
   * @expires as `expireAt` says
   */
  entries: (key: string, tag: string): string => `{${key}:${tag}}:entries`,

  /**
   * Beside each shard of a lexical `Leaderboard`: the members' vectors.
   * @redis hash: member -> vector
   * @expires with its entries
   */
  vectors: (key: string, tag: string): string => `{${key}:${tag}}:vectors`,

  /**
   * The result of a merge, before it replaces the shard.
   * @redis as the key that it replaces
   * @expires when the build takes its place
   */
  built: (key: string, tag: string, build: string, kind: 'entries' | 'vectors' | 'expiry'): string =>
    `{${key}:${tag}}:built:${build}:${kind}`,

  /**
   * The former content of a shard, while a build takes its place.
   * @redis as the key that it was
   * @expires at once
   */
  replaced: (key: string, tag: string): string => `{${key}:${tag}}:replaced`,

  /**
   * The moment set by `expireAt`, for a shard that is first written later.
   * @redis string: ms
   * @expires a week after that moment
   */
  expiry: (key: string, tag: string): string => `{${key}:${tag}}:expiry`,

  /**
   * The fixed settings of a `Leaderboard`: its number of shards, layout and order.
   * @redis hash
   * @expires never, or a week after the moment set by `expireAt`
   */
  boardLayout: (key: string): string => `{${key}}:board-layout`,
};

/** The shards that lie under a prefix, by their tags. */
interface Shards {
  readonly prefix: string;
  readonly tags: readonly string[];
}

/** A key's tag and what follows it; null where it is none of these shards: `lr:x` is another prefix than `lr`. */
export function nameInShard(
  { prefix, tags }: Shards,
  key: string,
): { readonly tag: string; readonly name: string } | null {
  const stem = `{${prefix}:`;
  const end = key.indexOf('}:');
  const tag = key.slice(stem.length, end);
  return key.startsWith(stem) && tags.includes(tag) ? { tag, name: key.slice(end + 2) } : null;
}

/** The part of a key after the tag. */
export function nameAfterTag(key: string): string {
  return key.slice(key.indexOf('}:') + 2);
}

/** A hash whose fields are those of one member's grants. */
export interface MemberHash {
  readonly key: string;
  readonly tag: string;
  readonly member: string;
  readonly kind: 'ledger' | 'page' | 'revokes' | 'always' | 'old';
  /** The number of the day of a ledger or page; null: it has none. */
  readonly day: number | null;
  /** The key of the member's old days. */
  readonly oldKey: string;
}

/** The hash of a member's grants that a key is; null: it is none of these shards. */
export function memberHash(shards: Shards, key: string): MemberHash | null {
  const { tag, name } = nameInShard(shards, key) ?? { tag: '', name: '' };
  const [, ofLedger, ofPage, word, member] =
    /^(?:ledger:(\d{8})|page:(\d{8}):[\da-f]{2}|(revokes|always|old)):([^]+)$/.exec(name) ?? [];
  if (member === undefined) return null;
  const date = ofLedger ?? ofPage;
  return {
    ...{ key, tag, member, oldKey: keys.old(shards.prefix, tag, member) },
    kind: (word as MemberHash['kind'] | undefined) ?? (ofPage === undefined ? 'ledger' : 'page'),
    day: date === undefined ? null : dayNumber(date.replace(/(....)(..)/, '$1-$2-')),
  };
}

const prefixPattern = /^[A-Za-z0-9_.:-]{1,64}$/;

/** @throws LeaderboardError `invalidOption` where `prefix` could break a key apart. */
export function checkedPrefix(name: string, prefix: string): string {
  if (prefixPattern.test(prefix)) return prefix;
  throw invalidOption(`${name} is ${JSON.stringify(prefix)}: use 1 to 64 letters, digits and "_.:-".`);
}

/** The longest member id, in bytes of UTF-8. */
export const maxMemberBytes = 128;

/** The longest name of a part of a partitioned board, in bytes of UTF-8. */
export const maxPartitionBytes = 64;

/** @throws LeaderboardError `invalidArgument` unless `partition` is a well-formed string of 1 to 64 bytes in UTF-8. */
export function checkedPartition(partition: string): string {
  return checkedText('A partition', partition, maxPartitionBytes);
}

/** @throws LeaderboardError `invalidArgument` unless `member` is a well-formed string of 1 to 128 bytes in UTF-8. */
export function checkedMember(member: string): string {
  return checkedText('A member', member, maxMemberBytes);
}

/** @throws LeaderboardError `invalidArgument` unless it is a well-formed string of 1 to `most` bytes in UTF-8. */
export function checkedText(what: string, text: string, most: number): string {
  if (isText(text, most)) return text;
  throw invalidArgument(`${what} is a well-formed string of 1 to ${most} bytes in UTF-8.`);
}

/** Whether it is a string of 1 to `most` bytes of UTF-8, without lone surrogates: two members would become one. */
export function isText(text: unknown, most: number): text is string {
  return typeof text === 'string' && text.length > 0 && fitsBytes(text, most) && text.isWellFormed();
}

/** Whether `text` takes at most `bytes` bytes in UTF-8, at the cost of a length check in the usual case. */
export function fitsBytes(text: string, bytes: number): boolean {
  return text.length * 3 <= bytes || (text.length <= bytes && Buffer.byteLength(text) <= bytes);
}
