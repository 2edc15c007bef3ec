-- Ids of a member's transitions: of each id a grant counts once, and a revoke. An id's number is
--   (day until which it is kept * 4194304 + day of the grant) * 4 + state
-- The state: 1 granted, 2 revoked, 3 both. What a limit or a board's range refused has no number here: of
-- the former its field knows.
local idDays, keptForEver = 4194304, 268435456

local function rememberId(key, id, keptUntil, today, day, state)
  call('ZADD', key, string.format('%.0f', (keptUntil * idDays + day) * 4 + state), id)
  call('ZREMRANGEBYSCORE', key, '-inf', '(' .. string.format('%.0f', today * idDays * 4))
  local last = tonumber(call('ZRANGE', key, -1, -1, 'WITHSCORES')[2])
  local lastDay = (last - last % (idDays * 4)) / (idDays * 4)
  if lastDay >= keptForEver then call('PERSIST', key) else call('PEXPIREAT', key, string.format('%.0f', lastDay * 86400000)) end
end

-- A revoke of one grant's day alone, with what the revoke has; nil where that day can change no more.
local function revokeOfDay(extra, day)
  for d = 1, #extra.days do
    if extra.days[d][DAY.day] == day then
      local one = {}
      for name, value in pairs(extra) do
        one[name] = value
      end
      one.op, one.own, one.from, one.isOfId = 'dayRevoke', d, day, true
      return one
    end
  end
end

-- As `judge`, for a transition with an id.
local function judgeById(m, field, points, ms, extra)
  local place, id, keptUntil, today = unpack(extra.id)
  local key, isGrant = KEYS[others + place], extra.op == 'grant'
  local number = tonumber(call('ZSCORE', key, id) or 0)
  local state, of = number % 4, ((number - number % 4) / 4) % idDays
  local own = isGrant and 1 or 2
  if state == own or state == 3 then return OUTCOME.duplicate, 0, 0 end
  if isGrant and state == 2 then
    rememberId(key, id, keptUntil, today, of, 3)
    return OUTCOME.notGranted, 0, 0
  end
  local day = state == 1 and of or extra.days[extra.own][DAY.day]
  local ofDay = extra
  if state == 1 then ofDay = revokeOfDay(extra, of) end
  if not ofDay and not otherRememberedDays(extra, field) then return OUTCOME.unjudged, 0, 0 end
  local outcome, change, detail = OUTCOME.notGranted, 0, 0
  if ofDay then outcome, change, detail = judge(m, field, points, ms, ofDay) end
  if outcome == OUTCOME.revoked and detail == 0 then detail = tostring(ofDay.days[ofDay.own][DAY.group]) end
  if outcome == OUTCOME.granted or outcome == OUTCOME.revoked or outcome == OUTCOME.notGranted or outcome == OUTCOME.duplicate then
    rememberId(key, id, keptUntil, today, day, state + own)
  end
  return outcome, change, detail
end
