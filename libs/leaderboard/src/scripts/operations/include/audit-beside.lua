-- Compares the counts and the first day that belong to the ledger by which a member was found. Each difference adds
-- four numbers to the reply: STATE.count, a counter's number, the expected and the found count (-1: no number), or
-- STATE.firstDay, 0, the first day and the stored one (-1: nothing).
-- @record BESIDE
--   .day             of that ledger
--   .digest .counters     of the counts; the digest is empty if none is kept
--   .firstDaysFrom   the day from which first days are kept; -1: not kept
--   .heals           0 or 1
if own > 0 and not isErased and isThere(own) then
  local day, from, heals = plan[AUDIT.beside][BESIDE.day], plan[AUDIT.beside][BESIDE.firstDaysFrom], plan[AUDIT.beside][BESIDE.heals] == 1
  local ledger = KEYS[ledgersFrom + own]
  countBy(plan[AUDIT.beside][BESIDE.counters])

  local function tell(...)
    for _, number in ipairs({ ... }) do
      r = r + 1
      replies[r] = number
    end
  end

  -- Counts of another generation are not compared: a call that needs them counts anew.
  local text = findGeneration(KEYS[4], plan[AUDIT.beside][BESIDE.digest]) and call('HGET', ledger, '')
  if text and find(text, countHeader, 1, true) == 1 then
    -- What cannot be read is no number.
    local kept = keptCounts(ledger, text) or {}
    local header, isWrong = countHeader, false
    countHeader = nil
    local numbers = countsOf(ledger)
    countHeader = header
    for c = 1, #counters do
      -- Fields do not tell the latest moment.
      if c ~= latestAt and kept[c] ~= numbers[c] then
        isWrong = true
        local isNumber = type(kept[c]) == 'number' and kept[c] >= 0 and kept[c] < 2 ^ 53
        tell(STATE.count, c, numbers[c], isNumber and math.floor(kept[c]) or -1)
      end
    end
    if isWrong and heals then call('HSET', ledger, '', takeChangedCounts(ledger)) end
  end

  local isFirst = from >= 0
  for before = 1, own - 1 do
    isFirst = isFirst and not isThere(before)
  end
  if isFirst then
    local known = tonumber(call('ZSCORE', KEYS[3], member) or nil)
    -- First days began to be kept on the day `from`: a member of that day is noted on a later one.
    if known and known > day or not known and (from == 0 or day > from + 1) then
      tell(STATE.firstDay, 0, day, known or -1)
      if heals then call('ZADD', KEYS[3], day, member) end
    end
  end
end
