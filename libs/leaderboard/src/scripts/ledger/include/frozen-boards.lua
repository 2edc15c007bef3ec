-- Takes the frozen boards out of every group, so that nothing moves them. GROUP.allBoards then lists all boards of the
-- group for its answers, in which a frozen board has -2^53 for every member. Returns the frozen boards' indexes, by
-- commas, or nil.
local function leaveFrozen()
  local frozen, places = {}, {}
  for b = 1, #boards do
    frozen[b] = call('EXISTS', KEYS[marks + b]) == 1
    if frozen[b] then
      found[b], moved[b] = setmetatable({}, { __index = function() return -2 ^ 53 end }), {}
      places[#places + 1] = b
    end
  end
  if #places == 0 then return nil end
  for g = 1, #groups do
    local group, kept = groups[g], {}
    group[GROUP.allBoards] = group[GROUP.boards]
    for _, b in ipairs(group[GROUP.boards]) do
      if not frozen[b] then kept[#kept + 1] = b end
    end
    group[GROUP.boards] = kept
    if frozen[group[GROUP.dayBoard]] then group[GROUP.dayBoard] = 0 end
  end
  return table.concat(places, ',')
end
