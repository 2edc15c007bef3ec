-- Begins to move all members to another number of shards, or takes over another run.
--
-- KEYS[1] layout   hash: shards; and while they move from, to, step (copying, cleaning), and run, the number of the
--                  last run
-- ARGV[1] to
-- ARGV[2] from     empty: whatever it is
-- Returns [step, run, from, to]; ['none'] if there is no data, ['same'] if it has `to` shards, ['other', from, to] if
--     it has, or moves to, other numbers than asked: then nothing is done.
-- Cost: O(1).
local call = redis.call
local shards, step = call('HGET', KEYS[1], 'shards'), call('HGET', KEYS[1], 'step')
if not shards then return { 'none' } end
local from = step and call('HGET', KEYS[1], 'from') or shards
local to = step and call('HGET', KEYS[1], 'to') or ARGV[1]
if to ~= ARGV[1] or ARGV[2] ~= '' and ARGV[2] ~= from then return { 'other', from, step and to or '' } end
if not step and shards == to then return { 'same' } end
if not step then
  step = 'copying'
  call('HSET', KEYS[1], 'from', from, 'to', to, 'step', step)
end
return { step, tostring(call('HINCRBY', KEYS[1], 'run', 1)), from, to }
