-- Puts one part of a board that was built beside it in its place.
-- KEYS[1] expiry   string: the moment in ms at which the board expires, where one is set
-- KEYS[2] replaced   what was there before, until it is freed; never there else, so that on a Cluster whose slot is on its
--     way this call is refused before it has begun, not halfway
-- KEYS[3..] pairs   two each, what was built and what it takes the place of: the part's sorted set, then what lies beside it
-- ARGV[1] any   1 where entries were built; 0: the part becomes empty
-- Returns 1; 0 where what was built is gone, and then changes nothing.
-- Cost: O(1); what was there before is freed in the background.
local call = redis.call
if ARGV[1] == '1' and call('EXISTS', KEYS[3]) == 0 then return 0 end
local expiry = call('GET', KEYS[1])
for i = 3, #KEYS, 2 do
  local from, to = KEYS[i], KEYS[i + 1]
  if call('EXISTS', to) == 1 then
    call('RENAME', to, KEYS[2])
    call('UNLINK', KEYS[2])
  end
  if call('EXISTS', from) == 1 then
    call('RENAME', from, to)
    if expiry then call('PEXPIREAT', to, expiry) else call('PERSIST', to) end
  end
end
return 1
