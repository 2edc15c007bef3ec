-- The kinds of keys that move with their members, by the first word of the key: sorted sets of members, and keys that
-- move complete. resharding/moved-kinds.ts lists the same words. All other keys are made anew, or belong to no shard's
-- members.
local movedKinds = {
  board = 'set', part = 'set', aside = 'set', ['aside-part'] = 'set', excluded = 'set', ['first-days'] = 'set',
  holding = 'set', owing = 'set', ledger = 'key', page = 'key', crowd = 'key', old = 'key', always = 'key', revokes = 'key', owed = 'key',
  parts = 'key', naming = 'key', frozen = 'key', erased = 'key',
}
