-- Gives terms their number: the one that they have, else the next. Numbers are never given twice.
-- KEYS[1] terms   hash: latest -> the highest number; digest:<digest> -> number; <number> -> `ms;text`
-- ARGV[1] digest   by which terms are known to be the same
-- ARGV[2] text   what is kept under the number
-- ARGV[3] ms   the time
-- Returns the number.
-- Cost: O(1).
local call = redis.call
local known = call('HGET', KEYS[1], 'digest:' .. ARGV[1])
if known then return tonumber(known) end
local number = call('HINCRBY', KEYS[1], 'latest', 1)
call('HSET', KEYS[1], 'digest:' .. ARGV[1], number, tostring(number), ARGV[3] .. ';' .. ARGV[2])
return number
