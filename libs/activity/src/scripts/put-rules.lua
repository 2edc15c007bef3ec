-- Puts a document in force for every process, unless it is the one in force.
-- KEYS[1] rules   hash: document (empty: withdrawn), revision: how many there were, stamp: by which one is told from
--     all others, and sinceMs
-- ARGV[1] document   JSON, empty to withdraw what is in force
-- ARGV[2] stamp   a new one
-- ARGV[3] ms   the time
-- ARGV[4] expected   the revision that is to be in force before, -1: any
-- Returns the revision in force: a new one each time that another document is put. -1: another is in force than was
--   expected, and nothing was put.
-- Cost: O(1).
local call = redis.call
local kept = call('HMGET', KEYS[1], 'revision', 'document')
local revision = tonumber(kept[1]) or 0
if (kept[2] or '') == ARGV[1] then return revision end
local expected = tonumber(ARGV[4])
if expected >= 0 and expected ~= revision then return -1 end
call('HSET', KEYS[1], 'document', ARGV[1], 'stamp', ARGV[2], 'sinceMs', ARGV[3])
return call('HINCRBY', KEYS[1], 'revision', 1)
