-- Reads the quotas of one member on one day. Changes nothing.
--
-- KEYS[1] ledger      the member's ledger of the day
-- KEYS[2] counting    the counts' generation
-- KEYS[3..] others    windows and keys of custom limits, by their position after these two
-- ARGV[1] plan        JSON of QUOTA; positions of keys count from the third
-- @record QUOTA
--   .digest           of the counts; empty: none is kept
--   .counters         what include/daily-counts.lua counts
--   .limits           as include/limits.lua has them
--   .nowMs .member
-- Returns for each limit: how much is used, its maximum, and the first moment at which more is allowed, as strings; ''
--     if that is not known, or more is allowed now. For a custom limit that failed: '', '', and '!' with its error.
-- Cost: one HGET for all daily limits, HGETALL if the ledger's counts are not kept; one GET a window.
local call = redis.call
local plan = cjson.decode(ARGV[1])
local others = 2

-- @include short-value
-- @include daily-counts
-- @include sliding-windows
-- @include limits

-- The most grants in any stretch of `windowMs` that holds `ms`: stretches begin with a grant, or at `ms`.
local function usedAt(places, windowMs, ms)
  local most, last = 0, 1
  for first = 1, #places + 1 do
    local start = places[first] and math.min(places[first], ms) or ms
    while last <= #places and places[last] < start + windowMs do
      last = last + 1
    end
    if start > ms - windowMs then most = math.max(most, last - first) end
    if start == ms then break end
  end
  return most
end

countBy(plan[QUOTA.counters])
findGeneration(KEYS[2], plan[QUOTA.digest])
local ms, member = plan[QUOTA.nowMs], plan[QUOTA.member]
local replies = {}

local function tell(used, max, free)
  for _, number in ipairs({ used or false, max or false, free or false }) do
    replies[#replies + 1] = number and string.format('%.0f', number) or ''
  end
end

for _, limit in ipairs(plan[QUOTA.limits]) do
  if limit[DAILY.kind] == KIND.daily then
    tell(countsOf(KEYS[1])[limit[DAILY.counter]], limit[DAILY.max])
  elseif limit[DAILY.kind] == KIND.period then
    local used, span = countsOf(KEYS[1])[limit[DAILY.counter]], limit[DAILY.span]
    for p = 2, #span do
      used = used + countsOf(KEYS[others + span[p]])[limit[DAILY.counter]]
    end
    tell(used, limit[DAILY.max], used >= limit[DAILY.max] and span[1])
  elseif limit[DAILY.kind] == KIND.sliding then
    local w, max, windowMs = limit[SLIDING.window], limit[SLIDING.max], limit[SLIDING.windowMs]
    windows[w] = call('GET', KEYS[others + w])
    tell(usedAt(placesIn(windowOf(w), windowMs), windowMs, ms), max, fullUntil(w, max, windowMs, ms))
  else
    local ran, used, max, free = ask(limit[CUSTOM.type], 'quota', limit[CUSTOM.given], { member = member, ms = ms })
    if not ran then
      for _, text in ipairs({ '', '', '!' .. faultOf(used) }) do
        replies[#replies + 1] = text
      end
    else
      if type(used) ~= 'number' then used = nil end
      tell(used, tonumber(max), tonumber(free))
    end
  end
end
return replies
