-- Puts one part of a board that was built beside it in its place.
-- KEYS[1] part   sorted set
-- KEYS[2] expiry   string: the moment in ms at which the board expires, where one is set
-- KEYS[3] built   sorted set: what takes the part's place
-- KEYS[4]? vectors   hash of a lexical board: member -> vector; else left out
-- KEYS[5]? builtVectors   hash: what takes its place; else left out
-- ARGV[1] any   1 where entries were built; 0: the part becomes empty
-- Returns 1; 0 where what was built is gone, and then changes nothing.
-- Cost: O(1); what was there before is freed in the background.
local call = redis.call
if ARGV[1] == '1' and call('EXISTS', KEYS[3]) == 0 then return 0 end
local expiry = call('GET', KEYS[2])

local function put(from, to)
  call('UNLINK', to)
  if call('EXISTS', from) == 0 then return end
  call('RENAME', from, to)
  if expiry then call('PEXPIREAT', to, expiry) else call('PERSIST', to) end
end

put(KEYS[3], KEYS[1])
if KEYS[4] then put(KEYS[5], KEYS[4]) end
return 1
