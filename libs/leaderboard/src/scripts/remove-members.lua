-- Removes members of one part of a board, with what lies beside their entries.
-- KEYS[1] part   sorted set
-- KEYS[2]? vectors   hash of a lexical board: member -> vector; else left out
-- KEYS[3]? updates   sorted set of a board whose members expire: member -> ms of its last update; without vectors in
--     their place
-- ARGV[1] layout   plain | packed | lexical
-- ARGV[2..] members
-- Returns how many were removed.
-- Cost: O(log N) a member.
local call = redis.call
-- @include remove-member
local vectors = ARGV[1] == 'lexical' and KEYS[2]
local updates = KEYS[3]
if not vectors then updates = KEYS[2] end
local removed = 0
for i = 2, #ARGV do
  removed = removed + removeMember(KEYS[1], ARGV[i], vectors)
  if updates then call('ZREM', updates, ARGV[i]) end
end
return removed
