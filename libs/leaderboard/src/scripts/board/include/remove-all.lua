-- Removes `names` from a sorted set or a hash (by `remove`, counted by `count`), some thousand a command: Lua hands
-- over no more arguments at once. Says how many there were, and how many other names are left.
-- What is empty is no key, and on a Cluster a script that meets a missing key of a slot on its way is broken off
-- halfway: so nothing is asked of the key once its last name is gone.
local function removeAll(remove, count, key, names)
  if #names == 0 then return 0 end
  local removed, left, most = 0, call(count, key), 5000
  for first = 1, #names, most do
    if left == 0 then break end
    local gone = call(remove, key, unpack(names, first, math.min(first + most - 1, #names)))
    removed, left = removed + gone, left - gone
  end
  return removed, left
end
