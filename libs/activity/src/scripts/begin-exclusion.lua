-- Notes that a user's entries are being moved, and how listeners know the user: by the note that is there, or else by
-- the user's exclusions, which nobody has changed yet.
--
-- KEYS[1] unfinished   hash: user -> note
-- KEYS[2] exclusions   hash: source and user -> exclusion
-- ARGV[1] user
-- ARGV[2] token        of who moves them now
-- ARGV[3..] fields   of the user's exclusions, one for each source
-- Returns the note: the token, a space, and `excluded` or `included`.
-- Cost: O(1).
local note = redis.call('HGET', KEYS[1], ARGV[1])
local known = note and string.match(note, ' (%a+)$')
if not known then
  known = 'included'
  for i = 3, #ARGV do
    if redis.call('HEXISTS', KEYS[2], ARGV[i]) == 1 then known = 'excluded' end
  end
end
local new = ARGV[2] .. ' ' .. known
redis.call('HSET', KEYS[1], ARGV[1], new)
return new
