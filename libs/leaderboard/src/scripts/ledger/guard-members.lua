-- Stands before a script that changes what is kept of members, so that both are one call. While the members of a shard are
-- copied to other shards it notes what is written; when they have gone, or are about to, it lets nothing pass.
-- KEYS[1..] own   the keys of the script behind
-- KEYS[n..] moving   the state of the shard, `<run>:copying|sealed|filling|open`, none: open. Where members are named, after the
--     sets of what was written while it is copied: keys of one member, sorted sets of members, members
-- ARGV[1..] arguments   those of the script behind
-- ARGV[n..] members   one value: whom the call concerns, as JSON; empty where the caller knows of no copying
-- Returns the status MOVED, with nothing done, where members of this shard are written elsewhere, or will be in a moment; TRACK
--     where it is copied, and the members are needed; else what the script behind returns.
-- Cost: one GET; while it is copied, an SADD for each key and each member.
do
  local call = redis.call
  local members = table.remove(ARGV)
  local state = call('GET', table.remove(KEYS))
  local writtenMembers, writtenSets, writtenKeys
  if members ~= '' then
    writtenMembers, writtenSets, writtenKeys = table.remove(KEYS), table.remove(KEYS), table.remove(KEYS)
  end
  local step = state and string.match(state, '%a*$')
  if step == 'sealed' or step == 'filling' then return redis.status_reply('MOVED') end
  if step == 'copying' then
    if members == '' then return redis.status_reply('TRACK') end
-- @include moved-kinds
    for i = 1, #KEYS do
      local name = string.match(KEYS[i], '}:(.*)$')
      local kind = movedKinds[string.match(name, '^[a-z-]*')]
      if kind then call('SADD', kind == 'set' and writtenSets or writtenKeys, name) end
    end
    for _, member in ipairs(cjson.decode(members)) do
      call('SADD', writtenMembers, member)
    end
  end
end
