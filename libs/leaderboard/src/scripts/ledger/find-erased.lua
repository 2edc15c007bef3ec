-- Finds out which members were erased and are refused still.
--
-- KEYS[1] erased   sorted set: the digests of erased members, as refuse-member.lua keeps it
-- ARGV[1] nowMs
-- ARGV[2..] members
-- Returns the places of those members, from 1, in any order.
-- Cost: O(1) a member; nothing where nobody is refused.
-- @include erased-members
local found, places = erasedAmong(KEYS[1], { unpack(ARGV, 2) }, tonumber(ARGV[1])), {}
for place in pairs(found or {}) do places[#places + 1] = place end
return places
