-- The lines of several shards as one: those that stand nearest to a bound.
-- Needs ahead.lua before it.

local function isBetter(a, b)
  if a.score ~= b.score then return (a.score > b.score) == descending end
  return standsAhead(a.element, b.element)
end

-- Two lists of lines in order as one of at most `most`: the last of them where they stand ahead of the bound, else the
-- first. The second list comes as Redis gives it, from one place to another: element, score, element, score...
local function nearest(list, lines, from, to, most, isAhead)
  local own = {}
  for i = from, to, 2 do
    own[#own + 1] = { element = lines[i], text = lines[i + 1], score = tonumber(lines[i + 1]) }
  end
  local all, n, i, j = {}, 0, 1, 1
  while (i <= #list or j <= #own) and (isAhead or n < most) do
    n = n + 1
    if j > #own or i <= #list and isBetter(list[i], own[j]) then
      all[n], i = list[i], i + 1
    else
      all[n], j = own[j], j + 1
    end
  end
  if n <= most then return all end
  local last = {}
  for k = 1, most do
    last[k] = all[n - most + k]
  end
  return last
end

-- Two lists, one behind the other, as Redis gives lines.
local function flat(a, b)
  local lines, n = {}, 0
  for _, list in ipairs({ a, b }) do
    for _, line in ipairs(list) do
      lines[n + 1], lines[n + 2] = line.element, line.text
      n = n + 2
    end
  end
  return lines
end
