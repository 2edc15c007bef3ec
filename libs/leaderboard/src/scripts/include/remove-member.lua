-- Removes a member's entry from a part, and its vector where the board has such; says how many there were.
local function removeMember(part, member, vectors)
  if not vectors then return call('ZREM', part, member) end
  local vector = call('HGET', vectors, member)
  if not vector then return 0 end
  call('HDEL', vectors, member)
  return call('ZREM', part, vector .. member)
end
