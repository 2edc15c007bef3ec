-- Puts one part of a board that was built beside it in its place.
-- KEYS[1] part   sorted set
-- KEYS[2] expiry   string: the moment in ms at which the board expires, where one is set
-- KEYS[3] built   sorted set: what takes the part's place
-- KEYS[4] vectors   hash of a lexical board: member -> vector; else left out
-- KEYS[5] builtVectors   hash: what takes its place; else left out
-- ARGV[1] count   how many entries were built
-- Returns 1; 0 where another number of entries is there, and then changes nothing.
-- Cost: O(1); what was there before is freed in the background.
local call = redis.call
if call('ZCARD', KEYS[3]) ~= tonumber(ARGV[1]) then return 0 end
local expiry = call('GET', KEYS[2])
for _, pair in ipairs({ { KEYS[3], KEYS[1] }, { KEYS[5], KEYS[4] } }) do
  local from, to = pair[1], pair[2]
  call('UNLINK', to)
  if call('EXISTS', from) == 1 then
    call('RENAME', from, to)
    if expiry then call('PEXPIREAT', to, expiry) else call('PERSIST', to) end
  end
end
return 1
