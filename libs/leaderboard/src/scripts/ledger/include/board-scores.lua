-- The boards' entries by their members' indexes in `names`: found[b][m] is the packed score that this call finds,
-- false: none; moved[b][m] is the score that it leaves, if different, false: none. A call reads and writes each board
-- once, however many transitions move it.
local found, moved = {}, {}

-- Whether doubles tell every score of this call to the tick, as include/packed.lua says, even if one member gets all
-- points.
local isRoomy = true

for b = 1, #boards do
  found[b], moved[b] = {}, {}
end
for g = 1, #groups do
  local onBoards, places, asked = groups[g][GROUP.boards], groups[g][GROUP.members], names
  if places ~= 0 then
    asked = {}
    for i = 1, #places do
      asked[i] = names[places[i]]
    end
  end
  for o = 1, #asked > 0 and #onBoards or 0 do
    local b, highest, lowest = onBoards[o], 0, 0
    local scores = call('ZMSCORE', KEYS[b], unpack(asked))
    for i = 1, #scores do
      local score = scores[i]
      if score then
        -- Its text becomes a number.
        score = score + 0
        scores[i] = score
        if score > highest then highest = score elseif score < lowest then lowest = score end
      end
    end
    isRoomy = isRoomy and highest + mostPoints * boards[b][BOARD.unit] < 2 ^ 53 and lowest > -2 ^ 53
    if places == 0 then
      found[b] = scores
    else
      for i = 1, #places do
        found[b][places[i]] = scores[i]
      end
    end
  end
end
