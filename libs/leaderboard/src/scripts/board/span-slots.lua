#!lua flags=no-writes,allow-cross-slot-keys
-- Lets a script that only reads have keys of several slots, all of which one master of a Cluster serves. It stands
-- before that script. Where a slot is served elsewhere, or a key of it is gone while the slot is on its way to another
-- master, Redis ends the call with an error: never with a wrong answer.
-- KEYS[1..] own   the first keys of the script behind, of one slot
-- ARGV[1..] arguments   those of the script behind
-- ARGV[n..] spanned   its other keys, and how many they are
-- Returns what the script behind returns.
-- Cost: O(1) a key.
do
  local count = tonumber(table.remove(ARGV))
  local own, given = #KEYS, #ARGV - count
  for i = 1, count do
    KEYS[own + i] = ARGV[given + i]
  end
  for i = #ARGV, given + 1, -1 do
    ARGV[i] = nil
  end
end
