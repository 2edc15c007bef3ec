-- Of a field that counts once for good the days on which it stands are remembered, whether or not their ledgers are
-- still there: `20412,20418w`. w: it waits there, as another day counts.

-- Whether the caller knew every day that is remembered; the latest before the transition's own that counts and that
-- nothing can change any more, nil where none is; and what stays of the days that the plan does not have: that one. A
-- transition that frees no other day needs to know none, and all others stay.
local function otherRememberedDays(extra, field)
  if not extra.remembered then return true end
  local isPlanned, isKnown, kept, latest = {}, {}, {}, nil
  for d = 1, #extra.days do
    isPlanned[extra.days[d][DAY.day]] = true
  end
  for _, day in ipairs(extra.closed or {}) do
    isKnown[day] = true
  end
  for number, waits in string.gmatch(call('HGET', KEYS[others + extra.remembered], field) or '', '(%d+)(w?)') do
    local day = tonumber(number)
    if not isPlanned[day] and not extra.closed then
      kept[#kept + 1] = number .. waits
    elseif not isPlanned[day] then
      if not isKnown[day] then return false end
      if waits == '' and day < extra.days[extra.own][DAY.day] and (not latest or day > latest) then latest = day end
    end
  end
  if latest then kept[1] = latest end
  return true, latest, kept
end

-- Remembers on which of the days judged the field stands, beside those that are `kept`. `stands` says of a record
-- whether it does.
local function rememberDays(extra, field, decided, kept, stands)
  for d = 1, #extra.days do
    local counts = decided[d].is ~= false
    if counts or stands(decided[d].record) then
      kept[#kept + 1] = extra.days[d][DAY.day] .. (counts and '' or 'w')
    end
  end
  local key = KEYS[others + extra.remembered]
  if #kept > 0 then call('HSET', key, field, table.concat(kept, ',')) else call('HDEL', key, field) end
end
