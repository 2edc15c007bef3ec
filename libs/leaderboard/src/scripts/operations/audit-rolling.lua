-- Compares entries of a sum of closed days, from which rolling windows are built, with the boards of these days, at one
-- moment, and repairs them if asked to.
--
-- KEYS[1] base         sorted set: the sum
-- KEYS[2..] boards     of each day, oldest first, its board and the set beside it
-- ARGV[1] plan         JSON of SUM
-- @record SUM
--   .layout          of the sum, as LAYOUT
--   .layouts         of the days, in their order
--   .only            0, or only missing members: number of the board on which they stand
--   .heals           0 or 1
-- @record LAYOUT .originMs .tickMs .unit
-- @codes STATE .none .right .otherPoints .otherTime
-- ARGV[2..] named      the members to compare
-- Returns for each faulty member, flat: the number among them, a STATE, the expected and the found value: points
--     (-2^53: no entry), or ms. Nothing if the sum is gone.
-- Cost: a ZMSCORE a board.
-- @include packed
local call = redis.call
local plan = cjson.decode(ARGV[1])
local into, layouts, only, heals = plan[SUM.layout], plan[SUM.layouts], plan[SUM.only], plan[SUM.heals] == 1
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
      local atMs = layout[LAYOUT.originMs] + (layout[LAYOUT.unit] - 1 - score % layout[LAYOUT.unit]) * layout[LAYOUT.tickMs]
      local elapsed = math.max(0, math.floor((atMs - into[LAYOUT.originMs]) / into[LAYOUT.tickMs]))
      sums[m] = (sums[m] or 0) + math.floor(score / layout[LAYOUT.unit])
      -- As add-board.lua adds them.
      local unit = into[LAYOUT.unit]
      times[m] = unit - 1 - packed(sums[m] * unit, unit - 1 - math.max(times[m] or 0, elapsed)) % unit
    end
  end
end

for m, score in ipairs(call('ZMSCORE', KEYS[1], unpack(members))) do
  local right = sums[m] and sums[m] * into[LAYOUT.unit] + into[LAYOUT.unit] - 1 - times[m] or nil
  local there = score and tonumber(score) or nil
  local isAsked = only == 0 or isFirst[m] and not there
  if isAsked and right ~= there then
    local expected, found = sums[m] or 0, there and math.floor(there / into[LAYOUT.unit]) or -2 ^ 53
    local state = expected == found and STATE.otherTime or STATE.otherPoints
    if state == STATE.otherTime then
      expected = into[LAYOUT.originMs] + times[m] * into[LAYOUT.tickMs]
      found = into[LAYOUT.originMs] + (into[LAYOUT.unit] - 1 - there % into[LAYOUT.unit]) * into[LAYOUT.tickMs]
    end
    for _, number in ipairs({ m, state, expected, found }) do
      replies[#replies + 1] = number
    end
    if heals and right then call('ZADD', KEYS[1], string.format('%.0f', right), members[m]) end
    if heals and not right then call('ZREM', KEYS[1], members[m]) end
  end
end
return replies
