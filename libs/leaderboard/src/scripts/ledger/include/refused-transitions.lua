-- Puts in the place of each transition that concerns an erased member, or names one, another that is refused.
local nth, nthLimits = 0, 1
for of = 1, #runs, 2 do
  local group, events, judged, at = groups[runs[of]], runs[of + 1], {}, 1
  while at <= #events do
    nth = nth + 1
    local l, first = events[at], at
    if l == 0 then at = at + 1 end
    local place, limitsWidth = math.abs(events[at]), l < 0 and limits.widths[limitsOf[nthLimits]] or 0
    local m = group[GROUP.members] == 0 and place or group[GROUP.members][place]
    if erased[m] or naming[nth] then
      naming[nth] = true
      local refused = { op = 'refuse', limitsWidth = limitsWidth }
      for _, part in ipairs({ 0, place, events[at + EVENT.field], refused, events[at + EVENT.points], events[at + EVENT.ms] }) do
        judged[#judged + 1] = part
      end
    else
      for i = first, at + 4 do
        judged[#judged + 1] = events[i]
      end
    end
    at, nthLimits = at + 5, nthLimits + limitsWidth
  end
  runs[of + 1] = judged
end
