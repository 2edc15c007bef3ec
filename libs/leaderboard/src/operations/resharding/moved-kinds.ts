import { windowOwners } from '../../keys/keys';

/**
 * The kinds of keys that move with their members, by the first word of the key; moved-kinds.lua lists the same words.
 * `members`: a sorted set of members. `member`: a key of one member. `names`: a sorted set that all shards have alike,
 * each with some of it. `naming`: a sorted set of names of such keys of one member. `mark`: a key that all shards have.
 */
export type MovedKind = 'members' | 'member' | 'names' | 'naming' | 'mark';

const kinds: Readonly<Record<string, MovedKind>> = {
  board: 'members',
  part: 'members',
  aside: 'members',
  'aside-part': 'members',
  excluded: 'members',
  'first-days': 'members',
  ledger: 'member',
  'ledger-page': 'member',
  revokes: 'member',
  remembered: 'member',
  ids: 'member',
  'revokes-page': 'member',
  days: 'member',
  adjusted: 'member',
  rebuilt: 'member',
  recalled: 'member',
  window: 'member',
  limit: 'member',
  parts: 'names',
  naming: 'naming',
  frozen: 'mark',
  erased: 'mark',
};

/** The kind of a key, by what follows its tag; null: it does not move. */
export function kindOf(name: string): MovedKind | null {
  const [word = ''] = /^[a-z-]*/.exec(name) ?? [];
  return Object.hasOwn(kinds, word) ? (kinds[word] ?? null) : null;
}

/** Whose key it is, of the kind `member`. */
export function memberOf(name: string): string {
  const [, word = '', rest = ''] = /^([a-z-]+):([^]*)$/.exec(name) ?? [];
  if (word === 'ledger' || word === 'revokes-page') return rest.slice(rest.indexOf(':') + 1);
  if (word === 'ledger-page') return rest.slice(rest.indexOf(':', rest.indexOf(':') + 1) + 1);
  if (word === 'window' || word === 'limit') return windowOwners(name)[0] ?? '';
  return rest;
}
