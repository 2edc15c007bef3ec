-- Writes the entries of members who are excluded or being restored where they belong: one of the two sets, never both.
for m, isHidden in pairs(isExcluded) do
  for b = 1, #boards do
    local board, score = boards[b], moved[b][m]
    if score == false then
      call('ZREM', KEYS[b], names[m])
      call('ZREM', KEYS[excludedBoard(b)], names[m])
      moved[b][m] = nil
    end
    if score then
      local to, from = KEYS[excludedBoard(b)], KEYS[b]
      if not isHidden then to, from = from, to end
      call('ZREM', from, names[m])
      call('ZADD', to, string.format('%.0f', score), names[m])
      if board[BOARD.expireAtMs] > 0 then call('PEXPIREAT', to, board[BOARD.expireAtMs]) end
      listPartition(board)
      moved[b][m] = nil
    end
  end
end
