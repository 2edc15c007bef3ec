-- What a shard keeps that moves with its members, by the first word of its key: sorted sets of members, and keys that move as
-- a whole. resharding/moved-kinds.ts names the same. All else is made anew, or belongs to no shard's members.
local movedKinds = {
  board = 'set', part = 'set', aside = 'set', ['aside-part'] = 'set', excluded = 'set', ['first-days'] = 'set',
  ledger = 'key', revokes = 'key', days = 'key', adjusted = 'key', rebuilt = 'key', window = 'key', limit = 'key',
  parts = 'key', frozen = 'key', erased = 'key',
}
