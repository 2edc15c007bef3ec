-- Lists a partition among those of its period, which all expire at one moment.
local function listPartition(board)
  if not board[BOARD.list] then return end
  local list = KEYS[others + board[BOARD.list]]
  if call('ZADD', list, 0, board[BOARD.listName]) == 1 and board[BOARD.expireAtMs] > 0 then
    call('PEXPIREAT', list, board[BOARD.expireAtMs])
  end
end
