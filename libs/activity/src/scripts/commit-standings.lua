-- Makes a draft the standings of its period, once.
--
-- KEYS[1] periods   hash: period -> what is known of it
-- KEYS[2] order     sorted set: periods by their start
-- KEYS[3] drafts    set of the drafts that are not committed
-- KEYS[4] lease     there while the draft's writer lives
-- KEYS[5] leaderboards   set of those that have periods
-- KEYS[6] version   a number that changes with the users who do not show
-- ARGV[1] draft     its token
-- ARGV[2] period
-- ARGV[3] facts     JSON
-- ARGV[4] startMs
-- ARGV[5] leaderboard
-- ARGV[6] known     the version by which those who do not show were looked up; empty: nobody has been hidden ever
-- Returns 1, 0 where another draft was committed before, -1 where this one was given up, -2 where others show by now.
if redis.call('EXISTS', KEYS[4]) == 0 then return -1 end
if (redis.call('GET', KEYS[6]) or '') ~= ARGV[6] then return -2 end
if redis.call('HSETNX', KEYS[1], ARGV[2], ARGV[3]) == 0 then return 0 end
redis.call('ZADD', KEYS[2], ARGV[4], ARGV[2])
redis.call('SREM', KEYS[3], ARGV[1])
redis.call('SADD', KEYS[5], ARGV[5])
redis.call('DEL', KEYS[4])
return 1
