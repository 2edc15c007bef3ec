-- Compares entries of a sum of closed days, which rolling windows are made from, with the boards of these days, at one moment, and
-- where it is told to, puts them right.
--
-- KEYS[1] base         sorted set: the sum
-- KEYS[2..] boards     of each day, oldest first, its board and the set beside it
-- ARGV[1] plan         JSON: [layout of the sum, layouts of the days in their order, only who is missing 0 | the place of the board
--   that the members stand on, put right 0 | 1]; a layout: [originMs, tickMs, unit]
-- ARGV[2..] named      whose entries
-- Returns for each member who is not right his place among them, 2 other points or 5 another time, what is right and what there is:
--   points (-1: no entry), or ms. Nothing where the sum is gone.
-- Cost: a ZMSCORE a board.
local call = redis.call
local plan = cjson.decode(ARGV[1])
local into, layouts, only, heals = plan[1], plan[2], plan[3], plan[4] == 1
if call('EXISTS', KEYS[1]) == 0 then return {} end
local members, replies = {}, {}
for m = 2, #ARGV do
  members[m - 1] = ARGV[m]
end

local sums, times, isFirst = {}, {}, {}
for b = 2, #KEYS do
  local layout = layouts[math.floor(b / 2)]
  for m, score in ipairs(call('ZMSCORE', KEYS[b], unpack(members))) do
    if score then
      score = tonumber(score)
      if not sums[m] then isFirst[m] = b - 1 == only end
      local atMs = layout[1] + (layout[3] - 1 - score % layout[3]) * layout[2]
      local elapsed = math.max(0, math.floor((atMs - into[1]) / into[2]))
      sums[m] = (sums[m] or 0) + math.floor(score / layout[3])
      times[m] = math.max(times[m] or 0, elapsed)
    end
  end
end

for m, score in ipairs(call('ZMSCORE', KEYS[1], unpack(members))) do
  local right = sums[m] and sums[m] * into[3] + into[3] - 1 - times[m] or nil
  local there = score and tonumber(score) or nil
  local isAsked = only == 0 or isFirst[m] and not there
  if isAsked and right ~= there then
    local expected, found = sums[m] or 0, there and math.floor(there / into[3]) or -1
    local state = expected == found and 5 or 2
    if state == 5 then
      expected = into[1] + times[m] * into[2]
      found = into[1] + (into[3] - 1 - there % into[3]) * into[2]
    end
    for _, number in ipairs({ m, state, expected, found }) do
      replies[#replies + 1] = number
    end
    if heals and right then call('ZADD', KEYS[1], string.format('%d', right), members[m]) end
    if heals and not right then call('ZREM', KEYS[1], members[m]) end
  end
end
return replies
