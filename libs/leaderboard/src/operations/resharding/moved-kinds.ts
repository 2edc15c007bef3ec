/**
 * The kinds of keys that move with their members, by the first word of the key; moved-kinds.lua lists the same words.
 * `members`: a sorted set of members. `member`: a key of one member. `names`: a sorted set that all shards have alike,
 * each with some of it. `naming`: a sorted set of names of such keys of one member. `mark`: a key that all shards have.
 */
export type MovedKind = 'members' | 'member' | 'names' | 'naming' | 'mark';

const words: readonly (readonly [MovedKind, readonly string[]])[] = [
  ['members', ['board', 'part', 'aside', 'aside-part', 'excluded', 'holding', 'first-days', 'owing']],
  ['member', ['ledger', 'page', 'crowd', 'old', 'always', 'revokes', 'owed']],
  ['names', ['parts']],
  ['naming', ['naming']],
  ['mark', ['frozen', 'erased']],
];
const kinds = new Map(words.flatMap(([kind, own]) => own.map((word) => [word, kind] as const)));

/** The kind of a key, by what follows its tag; null: it does not move. */
export function kindOf(name: string): MovedKind | null {
  const [word = ''] = /^[a-z-]*/.exec(name) ?? [];
  return kinds.get(word) ?? null;
}

/** The member of a key of the kind `member`. */
export function memberOf(name: string): string {
  const [, member = ''] = /^(?:(?:ledger|crowd):\d+|page:\d+:[\da-f]+|[a-z]+):([^]*)$/.exec(name) ?? [];
  return member;
}
