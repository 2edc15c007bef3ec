-- What a limit refused stays refused when it is delivered again: its field keeps it as a grant that ended at its own
-- moment, by a revoke of its day alone, whose sequence has as many zeros in front as the number of the limit among the
-- transition's. No other sequence begins with a zero. Days with more than `mostFields` keep nothing of what is refused:
-- tries must not fill a ledger.
local mostFields = 512

-- The end of a grant that was refused, as the revoke of its day alone; nil where it is not kept. What failed is not
-- refused for good: it may be tried again.
local function refusedEnd(ledger, moment, why)
  local limit, fault = string.match(why, '^(%d+),?(!?)')
  if fault == '!' or call('HLEN', ledger) > mostFields then return nil end
  local ms, sequence = string.match(moment, '^(%d+)%.?(%d*)$')
  return ms .. '.' .. string.rep('0', tonumber(limit)) .. sequence
end

-- As a new field of a plain grant keeps it; `value`: the grant's, in full.
local function refusedValue(ledger, field, value, why, list, day)
  local points, version, moment = string.match(value, '^(%d+)(v?%d*);(.*)$')
  local counter = cappedNumbers(ledger, field, day) and capThatRefused(list, why)
  local ended = refusedEnd(ledger, moment, why)
  noteLatest(ledger, ended and sinceDay(day, tonumber(string.match(moment, '^%d+'))) or -1)
  if not counter or not ended then return ended and '0;' .. moment .. ';;' .. ended end
  return '0;' .. moment .. ';;;' .. withMark(moment, { verdict = counter, version = version, asked = tonumber(points) })
end

-- The value of a new field that gets fewer points than it asks for.
local function cutValue(ledger, field, value, points, day)
  local asked, version, moment = string.match(longValue(value, day), '^(%d+)(v?%d*);(.*)$')
  local text = string.format('%.0f', points) .. version .. ';' .. moment
  if not cappedNumbers(ledger, field, day) then
    return string.find(value, ';', 1, true) and text or shortValue(text, day)
  end
  return text .. ';;;' .. withMark(moment, { verdict = 0, version = version, asked = tonumber(asked) })
end
