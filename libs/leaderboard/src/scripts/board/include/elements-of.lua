-- The elements that members have in a shard of a lexical board, and whose they are.
local function elementsOf(members, vectors)
  local elements, present, most = {}, {}, 5000
  for first = 1, #members, most do
    local last = math.min(first + most - 1, #members)
    local found = call('HMGET', vectors, unpack(members, first, last))
    for i = 1, last - first + 1 do
      if found[i] then
        elements[#elements + 1] = found[i] .. members[first + i - 1]
        present[#present + 1] = members[first + i - 1]
      end
    end
  end
  return elements, present
end
