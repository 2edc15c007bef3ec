-- Puts a document in force for every process, unless it is the one in force, or comes from a file that has not changed
-- since it was last taken.
-- KEYS[1] rules   hash: document (empty: withdrawn), revision: how many there were, stamp: by which one is told from
--     all others, source, sinceMs, and file: the digest of the file last taken
-- ARGV[1] document   JSON, empty to withdraw what is in force
-- ARGV[2] stamp   a new one
-- ARGV[3] source   where it comes from
-- ARGV[4] ms   the time
-- ARGV[5] expected   the revision that is to be in force before, -1: any
-- ARGV[6]? file   the digest of the file that it comes from
-- Returns the revision in force: a new one each time that another document is put. -1: another is in force than was
--   expected, and nothing was put.
-- Cost: O(1).
local call = redis.call
local kept = call('HMGET', KEYS[1], 'revision', 'document', 'file')
local revision = tonumber(kept[1]) or 0
if ARGV[6] then
  if kept[3] == ARGV[6] then return revision end
  call('HSET', KEYS[1], 'file', ARGV[6])
end
if (kept[2] or '') == ARGV[1] then return revision end
local expected = tonumber(ARGV[5])
if expected >= 0 and expected ~= revision then return -1 end
call('HSET', KEYS[1], 'document', ARGV[1], 'stamp', ARGV[2], 'source', ARGV[3], 'sinceMs', ARGV[4])
return call('HINCRBY', KEYS[1], 'revision', 1)
