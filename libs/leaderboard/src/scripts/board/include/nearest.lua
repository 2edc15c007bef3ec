-- The lines of several shards that stand nearest to a bound, as one list. Most lines of a shard are no nearer than what
-- was found before, and cost one comparison.
-- Needs ahead.lua before it.

-- Whether a line stands ahead of another.
local function isBetter(score, element, otherScore, otherElement)
  if score ~= otherScore then return (score > otherScore) == descending end
  return standsAhead(element, otherElement)
end

-- Takes into a list, of at most `most` lines and the nearest first, what is nearer than its last: of lines as Redis
-- gives them, element, score, element, score..., from one place to another, the nearest first. They lie ahead of the
-- bound, or behind it.
local function takeNearest(list, most, lines, from, to, areAhead)
  for i = from, to, areAhead and -2 or 2 do
    local element, text, n = lines[i], lines[i + 1], #list
    local score, last = tonumber(text), list[n]
    if n == most and isBetter(score, element, last.score, last.element) == areAhead then return end
    local at = n == most and n or n + 1
    local line = n == most and last or {}
    while at > 1 and isBetter(score, element, list[at - 1].score, list[at - 1].element) ~= areAhead do
      list[at] = list[at - 1]
      at = at - 1
    end
    line.element, line.text, line.score = element, text, score
    list[at] = line
  end
end

-- The lines ahead of a bound and those behind it, in order, as Redis gives lines.
local function flat(ahead, behind)
  local lines, n = {}, 0
  for k = #ahead, 1, -1 do
    lines[n + 1], lines[n + 2] = ahead[k].element, ahead[k].text
    n = n + 2
  end
  for k = 1, #behind do
    lines[n + 1], lines[n + 2] = behind[k].element, behind[k].text
    n = n + 2
  end
  return lines
end
