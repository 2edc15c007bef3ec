-- Precedes a script that changes members' data, so that both are one call. While a resharding copies the shard, the
-- guard notes each change; once the shard is sealed, the guard refuses the call.
-- KEYS[1..] own   the keys of the script behind
-- KEYS[n..] moving   the state of the shard, `<run>:copying|sealed|filling|open`, none: open. If members are named,
--                    behind three sets of the changes while the shard is copied: keys of one member, sorted sets of
--                    members, members
-- ARGV[1..] arguments   those of the script behind
-- ARGV[n..] members   one value: the members that the call concerns, as JSON; empty if the caller knows of no copying
-- Returns the status MOVED, with nothing done, if the shard is sealed or retired by a resharding; TRACK if it is being
--     copied and the call names no members; else what the script behind returns.
-- Cost: one GET; while the shard is copied, an SADD for each key and each member.
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
