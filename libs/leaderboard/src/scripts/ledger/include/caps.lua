-- By counters, the most that a cap allows; 0: none. A cap is a daily limit whose verdicts do not depend on the order in
-- which a day's activities arrive, see include/day-caps.lua.
local caps, hasCaps = plan[PLAN.limits][LIMITS.caps], false
for c = 1, #caps do
  hasCaps = hasCaps or caps[c] > 0
end

-- How many ms after the beginning of a ledger's day something was made, as include/short-value.lua has it; 1 where a
-- revoke that names the day was made before it: at 0 a day's numbers know of nothing, and are not kept.
local function sinceDay(day, ms)
  return math.max(1, ms - day * 86400000 + 50400000)
end

-- The numbers of a ledger whose caps bind whatever the order, where any counts the field; nil where none is there.
local function cappedNumbers(ledger, field, day)
  if not latestAt then return nil end
  for c = 1, #caps do
    if caps[c] > 0 and isCounted(counters[c], field) then
      local numbers = countsOf(ledger)
      return numbers[latestAt] >= 0 and numbers or nil
    end
  end
end

-- Whether a new field of the ledger comes before something that caps have judged there.
local function isBehind(ledger, field, day, ms)
  local numbers = cappedNumbers(ledger, field, day)
  return numbers and sinceDay(day, ms) <= numbers[latestAt]
end

-- Notes that something was made at `since`; -1: that caps bind in the order of arrival from now on.
local function noteLatest(ledger, since)
  local numbers = latestAt and (counts[ledger] or keptCounts(ledger))
  if not hasCaps then since = -1 end
  if not numbers or numbers[latestAt] < 0 or since >= 0 and since <= numbers[latestAt] then return end
  numbers[latestAt] = since
  counts[ledger], changedCounts[ledger] = numbers, true
end

-- The number of the counter whose cap refused a grant, if it may still come to count: where nothing else limits it.
local function capThatRefused(list, why)
  local limit = limitLists[list][tonumber(why)]
  for _, other in ipairs(limitLists[list]) do
    if other[DAILY.kind] ~= KIND.daily or caps[other[DAILY.counter]] == 0 then return nil end
  end
  return limit and limit[DAILY.counter]
end

-- The number of the limit of a list that has such a counter.
local function limitOfCounter(list, counter)
  for i, limit in ipairs(limitLists[list] or {}) do
    if limit[DAILY.kind] == KIND.daily and limit[DAILY.counter] == counter then return i end
  end
  return 0
end
