-- Lists keys of one shard that name members, as recording does, as far as they still do.
--
-- KEYS[1..] keys      the lists of keys that name somebody, and the keys
-- ARGV[1] nowMs
-- ARGV[2..] entries   of each a list's place, a key's, the key's name, and the field that names the member, one after
--                     the other; the field empty: the key's name does
-- Returns nothing.
-- Cost: a PTTL, an HEXISTS and a ZADD each, and three commands more where it was not listed.
local call, nowMs = redis.call, tonumber(ARGV[1])
-- @include naming
for i = 2, #ARGV, 4 do
  local list, key, name, field = KEYS[tonumber(ARGV[i])], KEYS[tonumber(ARGV[i + 1])], ARGV[i + 2], ARGV[i + 3]
  local leftMs = call('PTTL', key)
  if leftMs ~= -2 and (field == '' or call('HEXISTS', key, field) == 1) then
    -- A list of revokes is renewed by other fields' revokes.
    local isKept = leftMs == -1 or string.find(name, 'revokes', 1, true) == 1
    listKey(list, name, isKept and '+inf' or string.format('%.0f', nowMs + leftMs), nowMs)
  end
end
