-- Takes a ledger out of Redis that the cold store has, if nobody has wanted it lately and it is as it was read.
--
-- KEYS[1] recalled   as touch-ledgers.lua has it
-- KEYS[2] days       sorted set: the member's days, where days are listed
-- KEYS[3..] hashes   the ledger, and its pages
-- ARGV[1] day        its number
-- ARGV[2] wantedFrom it stays if it was wanted since
-- ARGV[3] content    JSON: of each hash its fields and what they hold, flat, without counts for daily limits
-- Returns 1: it is gone; 0: it stays.
-- Cost: an HGETALL and an UNLINK of each hash.
local call = redis.call
-- It is found in Redis as long as it is there.
local function stay()
  call('ZADD', KEYS[1], 'NX', ARGV[2] - 1, ARGV[1])
  return 0
end
if tonumber(call('ZSCORE', KEYS[1], ARGV[1]) or 0) >= tonumber(ARGV[2]) then return 0 end
for h, flat in ipairs(cjson.decode(ARGV[3])) do
  local read, left = {}, #flat
  for i = 1, #flat, 2 do
    read[flat[i]] = flat[i + 1]
  end
  local all = call('HGETALL', KEYS[2 + h])
  for i = 1, #all, 2 do
    if all[i] ~= '' then
      if read[all[i]] ~= all[i + 1] then return stay() end
      left = left - 2
    end
  end
  if left > 0 then return stay() end
end
call('ZREM', KEYS[1], ARGV[1])
call('ZREM', KEYS[2], ARGV[1])
for k = 3, #KEYS do
  call('UNLINK', KEYS[k])
end
return 1
