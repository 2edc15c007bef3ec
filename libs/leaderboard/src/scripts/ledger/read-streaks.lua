-- Reads for how many days in a row, up to the last, members stood on a board of days.
--
-- KEYS[1..] days   sorted sets: one shard's part of each day's board, the last day first
-- ARGV[1] grace   1: the last day is not over, who does not stand on it yet is counted up to the day before; 0: it is
-- ARGV[2..] floors   the least score that shows on each day's board
-- ARGV[n..] members
-- Returns the number of days for each member: the number of the KEYS at most.
-- Cost: for each member a ZSCORE for each day of the streak, and one or two more.
local call = redis.call
local grace, floors, streaks = ARGV[1] == '1', {}, {}
for d = 1, #KEYS do
  floors[d] = tonumber(ARGV[1 + d])
end
for m = 2 + #KEYS, #ARGV do
  local length = 0
  for d = 1, #KEYS do
    local score = call('ZSCORE', KEYS[d], ARGV[m])
    if score and tonumber(score) >= floors[d] then
      length = length + 1
    elseif d > 1 or not grace then
      break
    end
  end
  streaks[#streaks + 1] = length
end
return streaks
