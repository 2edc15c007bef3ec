-- Removes members of one shard of a board, with what lies beside their entries.
-- KEYS[1] shard   sorted set
-- KEYS[2]? vectors   hash of a lexical board: member -> vector; else left out
-- KEYS[3]? updates   sorted set of a board whose members expire: member -> ms of its last update; without vectors in
--     their place
-- ARGV[1] layout   plain | packed | lexical
-- ARGV[2..] members
-- Returns how many were removed.
-- Cost: O(log N) a member.
local call = redis.call
-- @include remove-all
-- @include elements-of
local vectors = ARGV[1] == 'lexical' and KEYS[2]
local updates = KEYS[3]
if not vectors then updates = KEYS[2] end
local members = {}
for i = 2, #ARGV do
  members[i - 1] = ARGV[i]
end
-- All are read before the first is removed, and of each key its own are removed together: a key that becomes empty is
-- not met again.
local elements = members
if vectors then
  local present
  elements, present = elementsOf(members, vectors)
  removeAll('HDEL', 'HLEN', vectors, present)
end
if updates then removeAll('ZREM', 'ZCARD', updates, members) end
return (removeAll('ZREM', 'ZCARD', KEYS[1], elements))
