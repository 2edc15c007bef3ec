-- A member's entries that a rebuild replaced, kept until an operator drops them: a hash of `board:period` ->
-- `shown;beside;shown;beside`, the scores before the first rebuild and after the latest, empty: no entry; and under ''
-- the ms at which the hash expires, 0: never.
local function entriesOf(shown, beside)
  return (call('ZSCORE', shown, member) or '') .. ';' .. (call('ZSCORE', beside, member) or '')
end

local function placeOf(board)
  return string.match(KEYS[7 + board[AUDITED.firstSet]], '}:board:(.*)$') or ''
end

local hasKept = call('EXISTS', KEYS[5]) == 1

-- When the entry that was replaced had been reached, where it had these points and ledgers allow that time; and whether
-- nothing has changed the entry since.
local function keptElapsed(board, sum, times)
  local kept = hasKept and board[AUDITED.setPairs] == 1 and call('HGET', KEYS[5], placeOf(board))
  if not kept then return end
  local shown, beside, after = string.match(kept, '^([^;]*);([^;]*);(.*)$')
  local entry = tonumber(shown) or tonumber(beside)
  if not entry or math.floor(entry / board[AUDITED.unit]) ~= sum then return end
  local elapsed = elapsedOf(board, entry)
  if elapsed < times.first or elapsed > times.last then return end
  return elapsed, after == entriesOf(KEYS[7 + board[AUDITED.firstSet]], KEYS[8 + board[AUDITED.firstSet]])
end

-- The time from which a rebuild moved an entry though ledgers allow it: one that was made by other settings.
local function movedFrom(board, sum, entry, times)
  local elapsed, isUnchanged = keptElapsed(board, sum, times)
  return isUnchanged and elapsed ~= elapsedOf(board, entry) and elapsed or nil
end

local function keepReplaced(board, before)
  local place = placeOf(board)
  local first = string.match(call('HGET', KEYS[5], place) or '', '^[^;]*;[^;]*') or before
  call('HSET', KEYS[5], place, first .. ';' .. entriesOf(KEYS[7 + board[AUDITED.firstSet]], KEYS[8 + board[AUDITED.firstSet]]))
  local expireAt, own = tonumber(call('HGET', KEYS[5], '') or nil), board[AUDITED.expireAtMs]
  if expireAt and (expireAt == 0 or own > 0 and own <= expireAt) then return end
  call('HSET', KEYS[5], '', string.format('%d', own))
  if own > 0 then call('PEXPIREAT', KEYS[5], own) else call('PERSIST', KEYS[5]) end
end
