-- Copies boards, all as of one moment.
-- KEYS[1] windows   sorted set: the names of windows, drafts and sums, by the moment at which they are gone
-- KEYS[2..] boards   sorted sets, each followed by the key of its copy
-- ARGV[1] ttlMs   how long the copies are kept
-- Returns for each board whether it exists: 1 or 0.
-- Cost: O(N), about 1 us an entry, during which this Redis does nothing else.
-- @include list-window
local copied = {}
for i = 2, #KEYS, 2 do
  local was = redis.call('COPY', KEYS[i], KEYS[i + 1])
  if was == 1 then
    redis.call('PEXPIRE', KEYS[i + 1], ARGV[1])
    listWindow(KEYS[1], KEYS[i + 1], ARGV[1])
  end
  copied[#copied + 1] = was
end
return copied
