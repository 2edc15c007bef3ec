-- Makes a draft the standings of its period, once.
--
-- KEYS[1] periods   hash: period -> what is known of it
-- KEYS[2] order     sorted set: periods by their start
-- KEYS[3] drafts    set of the drafts that are not committed
-- KEYS[4] lease     there while the draft's writer lives
-- ARGV[1] draft     its token
-- ARGV[2] period
-- ARGV[3] facts     JSON
-- ARGV[4] startMs
-- Returns 1, 0 where another draft was committed before, -1 where this one was given up.
if redis.call('EXISTS', KEYS[4]) == 0 then return -1 end
if redis.call('HSETNX', KEYS[1], ARGV[2], ARGV[3]) == 0 then return 0 end
redis.call('ZADD', KEYS[2], ARGV[4], ARGV[2])
redis.call('SREM', KEYS[3], ARGV[1])
redis.call('DEL', KEYS[4])
return 1
