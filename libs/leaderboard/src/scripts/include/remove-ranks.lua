-- Removes the entries of a part from one rank to another, as ZREMRANGEBYRANK counts, with what lies beside them: their
-- vectors, `prefix` bytes before each member, and their last updates, where the board has such.
local function removeRanks(part, first, last, vectors, prefix, updates)
  if vectors or updates then
    for _, element in ipairs(call('ZRANGE', part, first, last)) do
      local member = string.sub(element, prefix + 1)
      if vectors then call('HDEL', vectors, member) end
      if updates then call('ZREM', updates, member) end
    end
  end
  return call('ZREMRANGEBYRANK', part, first, last)
end
