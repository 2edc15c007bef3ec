-- Finds out which members were erased and are refused still.
--
-- KEYS[1] erased   sorted set: the digests of erased members, as refuse-member.lua keeps it
-- ARGV[1] nowMs
-- ARGV[2..] members
-- Returns the places of those members, from 1.
-- Cost: O(1) a member; nothing where nobody is refused.
-- @include erased-members
local members = { unpack(ARGV, 2) }
local found, places = erasedAmong(KEYS[1], members, tonumber(ARGV[1])), {}
for i = 1, found and #members or 0 do
  if found[i] then places[#places + 1] = i end
end
return places
