-- Puts in the place of each transition that concerns an erased member, or names one, another that is refused.
local nth = 0
for of = 1, #runs, 2 do
  local group, events, judged, at = groups[runs[of]], runs[of + 1], {}, 1
  while at <= #events do
    nth = nth + 1
    local l, first = events[at], at
    if l == 0 then at = at + 1 end
    local place = math.abs(events[at])
    local m = group[GROUP.members] == 0 and place or group[GROUP.members][place]
    local stop = at + 5 + (l < 0 and limits.widths[events[at + EVENT.limits]] or 0)
    if erased[m] or naming[nth] then
      for _, part in ipairs({ 0, place, events[at + EVENT.field], { op = 'refuse' }, events[at + EVENT.points], events[at + EVENT.ms] }) do
        judged[#judged + 1] = part
      end
    else
      for i = first, stop - 1 do
        judged[#judged + 1] = events[i]
      end
    end
    at = stop
  end
  runs[of + 1] = judged
end
