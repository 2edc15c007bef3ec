-- Writes the boards' entries that were moved.
local format, form = string.format, isRoomy and '%d' or '%.0f'
for b = 1, #boards do
  local board, scores, lines, gone, n, added = boards[b], moved[b], {}, {}, 0, 0
  local expireAtMs = board[BOARD.expireAtMs]
  for m = 1, #names do
    local score = scores[m]
    if score then
      -- A third of the time that Redis would take to write the number itself; %d holds 63 bits.
      lines[n + 1], lines[n + 2] = format(form, score), names[m]
      n = n + 2
    elseif score == false then
      gone[#gone + 1] = names[m]
    end
  end
  for first = 1, n, 7000 do
    added = added + call('ZADD', KEYS[b], unpack(lines, first, math.min(first + 6999, n)))
  end
  -- The expiry is set with the first entry and never again.
  if added > 0 and expireAtMs > 0 and call('PTTL', KEYS[b]) == -1 then call('PEXPIREAT', KEYS[b], expireAtMs) end
  if added > 0 then listPartition(board) end
  -- What is emptied is touched by nothing after: its slot may be on its way to another master.
  if #gone > 0 then call('ZREM', KEYS[b], unpack(gone)) end
end
