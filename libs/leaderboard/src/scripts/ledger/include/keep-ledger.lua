-- Called where a ledger may be new. Its expiry is a fixed moment: setting it again changes nothing.
local function keepLedger(group, position, m)
  local firstDays, daysExpireAtMs = plan[PLAN.firstDays], plan[PLAN.daysExpireAtMs]
  if firstDays > 0 then call('ZADD', KEYS[others + firstDays], 'LT', group[GROUP.day], names[m]) end
  if group[GROUP.ledgerExpireAtMs] > 0 then call('PEXPIREAT', KEYS[others + position], group[GROUP.ledgerExpireAtMs]) end
  if daysExpireAtMs < 0 then return end
  local days = KEYS[others + position + 1]
  call('ZADD', days, group[GROUP.day], group[GROUP.day])
  if daysExpireAtMs > 0 then call('PEXPIREAT', days, daysExpireAtMs) end
end
