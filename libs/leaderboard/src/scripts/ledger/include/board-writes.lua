-- Writes the boards' entries that were moved.
local format = string.format
for b = 1, #boards do
  local board, scores, lines, n, added = boards[b], moved[b], {}, 0, 0
  for m = 1, #names do
    local score = scores[m]
    if score and hasAside and isAside[m] ~= nil then
      -- An entry of one who is excluded, or on his way back, lies where it belongs; there is one of it at any time.
      local to, from = KEYS[marks - 3 - #boards + b], KEYS[b]
      if not isAside[m] then to, from = from, to end
      call('ZREM', from, names[m])
      call('ZADD', to, format('%d', score), names[m])
      if board[6] > 0 then call('PEXPIREAT', to, board[6]) end
      added = 1
    elseif score then
      -- A third of the time that Redis would take to write the number itself; %d holds all 53 bits.
      lines[n + 1], lines[n + 2] = format('%d', score), names[m]
      n = n + 2
    end
  end
  for first = 1, n, 7000 do
    added = added + call('ZADD', KEYS[b], unpack(lines, first, math.min(first + 6999, n)))
  end
  -- The expiry is set with the first entry and never again.
  if added > 0 and board[6] > 0 and call('PTTL', KEYS[b]) == -1 then call('PEXPIREAT', KEYS[b], board[6]) end
  -- A part of a partitioned board is listed among those of its period, which all expire at one moment.
  if added > 0 and board[7] then
    local list = KEYS[others + board[7]]
    if call('ZADD', list, 0, board[8]) == 1 and board[6] > 0 then call('PEXPIREAT', list, board[6]) end
  end
end
