-- Finds out who of this call's members is excluded, or on his way back, and reads their entries, wherever they lie.
local function findAside(excluded)
  for g = 1, #groups do
    local onBoards, members = groups[g][3], groups[g][4]
    local states = #members > 0 and call('ZMSCORE', excluded, unpack(members)) or {}
    for m = 1, #members do
      local member = members[m]
      if states[m] then
        isAside[member], hasAside = states[m] == '1', true
        for i = 1, #onBoards do
          local b = onBoards[i]
          if not scores[b][member] then scores[b][member] = nil end
          scoreOn(b, member)
        end
      end
    end
  end
end
