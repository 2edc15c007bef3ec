import { LeaderboardError } from './errors';

/**
 * Every Redis key of the engine is named here. `{prefix:tag}` is the Cluster hash tag of one shard: it comes first, so
 * that braces in what follows, a member's id for one, cannot move a key to another slot; fixed parts come before free
 * ones and what is of free length comes last, so that no two names can meet.
 */
export const keys = {
  /** One member's ledger of one day; `dayKey` is `yyyymmdd`. */
  ledger: (prefix: string, tag: string, dayKey: string, member: string): string =>
    `${ledgerStem(prefix, tag, dayKey)}${member}`,

  /** One shard's part of a board for one period. */
  board: (prefix: string, tag: string, board: string, periodKey: string): string =>
    `{${prefix}:${tag}}:board:${board}:${periodKey}`,

  /** There while this shard's part of a board's period is frozen: no transition changes it, nor any part of it. */
  frozen: (prefix: string, tag: string, board: string, periodKey: string): string =>
    `{${prefix}:${tag}}:frozen:${board}:${periodKey}`,

  /** One shard's part of one part of a partitioned board. */
  boardPart: (prefix: string, tag: string, board: string, periodKey: string, partition: string): string =>
    `{${prefix}:${tag}}:part:${board}:${periodKey}:${partition}`,

  /** The parts that one shard has of a partitioned board's period. */
  boardParts: (prefix: string, tag: string, board: string, periodKey: string): string =>
    `{${prefix}:${tag}}:parts:${board}:${periodKey}`,

  /** Beside one shard's part of a board: the entries of its members who are excluded. */
  aside: (prefix: string, tag: string, board: string, periodKey: string): string =>
    `{${prefix}:${tag}}:aside:${board}:${periodKey}`,

  /** Beside one shard's part of one part of a partitioned board, likewise. */
  asidePart: (prefix: string, tag: string, board: string, periodKey: string, partition: string): string =>
    `{${prefix}:${tag}}:aside-part:${board}:${periodKey}:${partition}`,

  /** The members of one shard whose entries lie beside the boards, or are on their way back. */
  excluded: (prefix: string, tag: string): string => `{${prefix}:${tag}}:excluded`,

  /** Alike on every shard: digests of the members who were erased, by the moment until which they are refused. */
  erased: (prefix: string, tag: string): string => `{${prefix}:${tag}}:erased`,

  /** The names of the rolling windows, and what they are made from, that one shard has. */
  windows: (prefix: string, tag: string): string => `{${prefix}:${tag}}:windows`,

  /** What is listed there under a name. */
  windowNamed: (prefix: string, tag: string, name: string): string => `{${prefix}:${tag}}:${name}`,

  /** How often entries of one shard were moved from or to the sets beside the boards, or erased. */
  changes: (prefix: string, tag: string): string => `{${prefix}:${tag}}:changes`,

  /** The days on which one member has a ledger, where ledgers are kept for longer than a look at each day's would do. */
  days: (prefix: string, tag: string, member: string): string => `{${prefix}:${tag}}:days:${member}`,

  /** The first day of each member of one shard that has had a ledger, as its number. */
  firstDays: (prefix: string, tag: string): string => `{${prefix}:${tag}}:first-days`,

  /** The general revokes of each of one member's fields, the latest of each day. */
  revokes: (prefix: string, tag: string, member: string): string => `{${prefix}:${tag}}:revokes:${member}`,

  /**
   * A sliding window of one member, or of one of his fields, or of him and another; the member's length keeps the two
   * apart.
   */
  window: (
    prefix: string,
    tag: string,
    limit: string,
    per: 'member' | 'field' | 'pair',
    member: string,
    of = '',
  ): string => `{${prefix}:${tag}}:window:${limit}:${per}:${member.length}:${member}:${of}`,

  /** What a limit of the caller's own keeps of one member; `key` is the caller's naming. */
  ownLimit: (prefix: string, tag: string, limit: string, member: string, key: string): string =>
    `{${prefix}:${tag}}:limit:${limit}:${member.length}:${member}:${key}`,

  /** Which counts one shard's ledgers keep for daily limits, and since when. */
  counting: (prefix: string, tag: string): string => `{${prefix}:${tag}}:counting`,

  /** What was adjusted of one member, by the adjustments' fields. */
  adjusted: (prefix: string, tag: string, member: string): string => `{${prefix}:${tag}}:adjusted:${member}`,

  /** What `rebuild` replaced of one member's entries: by board and period, the entries before and after. */
  rebuilt: (prefix: string, tag: string, member: string): string => `{${prefix}:${tag}}:rebuilt:${member}`,

  /** Where one shard is in a resharding, as resharding/ has it; none: nowhere. */
  moving: (prefix: string, tag: string): string => `{${prefix}:${tag}}:moving`,

  /** What was written to one shard while its members were copied to others. */
  written: (prefix: string, tag: string, what: 'keys' | 'sets' | 'members'): string =>
    `{${prefix}:${tag}}:written:${what}`,

  /** Written beside what must be on replicas before it is acknowledged. */
  confirmed: (prefix: string, tag: string): string => `{${prefix}:${tag}}:confirmed`,

  /** How many shards there are; while members move to another number of them, how far that is. */
  layout: (prefix: string): string => `{${prefix}}:layout`,

  /** The periods of a board that were written, by their start. */
  periods: (prefix: string, board: string): string => `{${prefix}}:periods:${board}`,

  /** Those of them that are settled and done with, by their start. */
  settled: (prefix: string, board: string): string => `{${prefix}}:settled:${board}`,

  /** What points were granted by, version after version. */
  terms: (prefix: string): string => `{${prefix}}:terms`,

  /** One shard's part of a board that stands alone, under the caller's own key. */
  entries: (key: string, tag: string): string => `{${key}:${tag}}:entries`,

  /** Of a lexical board that stands alone, beside each part: member -> vector. */
  vectors: (key: string, tag: string): string => `{${key}:${tag}}:vectors`,

  /** Of a board whose members expire, beside each part: member -> ms of its last update. */
  updates: (key: string, tag: string): string => `{${key}:${tag}}:updates`,

  /** What is built beside a part, to take its place: its entries, its vectors or its updates. It has no moment of expiry. */
  built: (key: string, tag: string, build: string, kind: 'entries' | 'vectors' | 'updates' | 'expiry'): string =>
    `{${key}:${tag}}:built:${build}:${kind}`,

  /** What a part was, for the moment in which a build takes its place. */
  replaced: (key: string, tag: string): string => `{${key}:${tag}}:replaced`,

  /** The moment at which a part expires, for when it is first written after that was set. */
  expiry: (key: string, tag: string): string => `{${key}:${tag}}:expiry`,

  /** What must not change while a board that stands alone lives: its number of shards. */
  boardLayout: (key: string): string => `{${key}}:board-layout`,
};

/** The shards that lie under a prefix, by their tags. */
export interface Shards {
  readonly prefix: string;
  readonly tags: ReadonlySet<string>;
}

/** A key's tag and what follows it; null where it is none of these shards: `lr:x` is another prefix than `lr`. */
export function nameInShard(
  { prefix, tags }: Shards,
  key: string,
): { readonly tag: string; readonly name: string } | null {
  const stem = `{${prefix}:`;
  const end = key.indexOf('}:');
  const tag = key.slice(stem.length, end);
  return key.startsWith(stem) && tags.has(tag) ? { tag, name: key.slice(end + 2) } : null;
}

/** A hash whose fields are those of one member's grants. */
export interface MemberHash {
  readonly key: string;
  readonly tag: string;
  readonly member: string;
}

/** The hash of fields that a key is, a ledger or general revokes; null where it is none of these shards. */
export function memberHash(shards: Shards, key: string): MemberHash | null {
  const inShard = nameInShard(shards, key);
  const [, member] = /^(?:ledger:\d+|revokes):([^]+)$/.exec(inShard?.name ?? '') ?? [];
  return inShard && member !== undefined ? { key, tag: inShard.tag, member } : null;
}

/**
 * The members that a window's key names, by what follows its tag: whose it is and, of a window of a pair, the other. None
 * where it is no key of a window.
 */
export function windowOwners(name: string): readonly string[] {
  const named = /^(?:window|limit):[^:]+:(?:([a-z]+):)?(\d+):([^]*)$/.exec(name);
  if (!named) return [];
  const [, of, length, rest = ''] = named;
  const end = Number(length);
  if (rest[end] !== ':') return [];
  return of === 'pair' ? [rest.slice(0, end), rest.slice(end + 1)] : [rest.slice(0, end)];
}

/** The field that a window's key names, by what follows its tag; null where it is a window of no field. */
export function windowField(name: string): string | null {
  const [, length, rest = ''] = /^window:[^:]+:field:(\d+):([^]*)$/.exec(name) ?? [];
  return length === undefined ? null : rest.slice(Number(length) + 1);
}

/** What the ledger keys of one shard and day begin with; the member follows. */
export function ledgerStem(prefix: string, tag: string, dayKey: string): string {
  return `{${prefix}:${tag}}:ledger:${dayKey}:`;
}

const prefixPattern = /^[A-Za-z0-9_.:-]{1,64}$/;

/** @throws LeaderboardError `invalidOption` where `prefix` could break a key apart. */
export function checkedPrefix(name: string, prefix: string): string {
  if (prefixPattern.test(prefix)) return prefix;
  throw new LeaderboardError(
    'invalidOption',
    `${name} is ${JSON.stringify(prefix)}: use 1 to 64 letters, digits and "_.:-".`,
  );
}

/** The longest member id, in bytes of UTF-8. */
export const maxMemberBytes = 128;

/** The longest name of a part of a partitioned board, in bytes of UTF-8. */
export const maxPartitionBytes = 64;

/** @throws LeaderboardError `invalidArgument` unless `partition` is a well-formed string of 1 to 64 bytes in UTF-8. */
export function checkedPartition(partition: string): string {
  const isFit = typeof partition === 'string' && partition.length > 0 && fitsBytes(partition, maxPartitionBytes);
  if (isFit && partition.isWellFormed()) return partition;
  throw new LeaderboardError(
    'invalidArgument',
    `A partition is a well-formed string of 1 to ${maxPartitionBytes} bytes in UTF-8.`,
  );
}

/**
 * @throws LeaderboardError `invalidArgument` unless `member` is a string of 1 to 128 bytes in UTF-8. A lone surrogate is
 * refused: it has no UTF-8 of its own, and two members would become one.
 */
export function checkedMember(member: string): string {
  if (typeof member === 'string' && member.length > 0 && fitsBytes(member, maxMemberBytes) && member.isWellFormed())
    return member;
  throw new LeaderboardError(
    'invalidArgument',
    `A member is a well-formed string of 1 to ${maxMemberBytes} bytes in UTF-8.`,
  );
}

/** Whether `text` takes at most `bytes` bytes in UTF-8, at the cost of a length check in the usual case. */
export function fitsBytes(text: string, bytes: number): boolean {
  return text.length * 3 <= bytes || (text.length <= bytes && Buffer.byteLength(text) <= bytes);
}
