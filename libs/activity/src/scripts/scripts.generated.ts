// Generated from the Lua files beside it by `npm run generate`. Do not edit.
import type { Script } from '@laurel/leaderboard/internals';

/** Every script of the module's own, by its name. */
export const scripts = {
  beginExclusion: {
    name: "beginExclusion",
    keys: { unfinished: 'one', exclusions: 'one' },
    args: { user: 'one', token: 'one', fields: 'list' },
    records: {  },
    sha1: '700df3ed572926e2d20e1c35f4160078ef476c7d',
    lua: "-- Notes that a user's entries are being moved, and how listeners know the user: by the note that is there, or else by\n-- the user's exclusions, which nobody has changed yet.\n--\n-- KEYS[1] unfinished   hash: user -> note\n-- KEYS[2] exclusions   hash: source and user -> exclusion\n-- ARGV[1] user\n-- ARGV[2] token        of who moves them now\n-- ARGV[3..] fields   of the user's exclusions, one for each source\n-- Returns the note: the token, a space, and `excluded` or `included`.\n-- Cost: O(1).\nlocal note = redis.call('HGET', KEYS[1], ARGV[1])\nlocal known = note and string.match(note, ' (%a+)$')\nif not known then\n  known = 'included'\n  for i = 3, #ARGV do\n    if redis.call('HEXISTS', KEYS[2], ARGV[i]) == 1 then known = 'excluded' end\n  end\nend\nlocal new = ARGV[2] .. ' ' .. known\nredis.call('HSET', KEYS[1], ARGV[1], new)\nreturn new\n",
  },
  closeRecord: {
    name: "closeRecord",
    keys: { open: 'one', records: 'one', listed: 'one', closed: 'one' },
    args: { owner: 'one', id: 'one', record: 'one', score: 'one', kept: 'one' },
    records: {  },
    sha1: '1c131992c03f9ecd3d4c9336ddb5608705322bdd',
    lua: "-- Closes an owner's open record, while it is that one; keeps the last of those that are closed.\n--\n-- KEYS[1] open      hash: owner -> id of the open record\n-- KEYS[2] records   hash: id -> record\n-- KEYS[3] listed    sorted set of the ids of open ones\n-- KEYS[4] closed    sorted set of the ids of closed ones\n-- ARGV[1] owner\n-- ARGV[2] id\n-- ARGV[3] record    as it is from now on\n-- ARGV[4] score     by which it is listed\n-- ARGV[5] kept      how many closed ones are kept: those of the highest scores\n-- Returns 1, or 0 where another closed it before.\n-- Cost: O(log N) of those listed, for it and for each that is dropped.\nif redis.call('HGET', KEYS[1], ARGV[1]) ~= ARGV[2] then return 0 end\nredis.call('HDEL', KEYS[1], ARGV[1])\nredis.call('ZREM', KEYS[3], ARGV[2])\nredis.call('HSET', KEYS[2], ARGV[2], ARGV[3])\nredis.call('ZADD', KEYS[4], ARGV[4], ARGV[2])\nfor _, old in ipairs(redis.call('ZRANGE', KEYS[4], 0, -ARGV[5] - 1)) do\n  redis.call('HDEL', KEYS[2], old)\n  redis.call('ZREM', KEYS[4], old)\nend\nreturn 1\n",
  },
  findMember: {
    name: "findMember",
    keys: { sets: 'list' },
    args: { member: 'one' },
    records: {  },
    sha1: '954c7701f626306338539b800f624a0dc01e3236',
    lua: "-- Finds out which of some sorted sets have a member.\n--\n-- KEYS[1..] sets\n-- ARGV[1] member\n-- Returns their places, from 1.\n-- Cost: a ZSCORE a set.\nlocal found = {}\nfor i, set in ipairs(KEYS) do\n  if redis.call('ZSCORE', set, ARGV[1]) then found[#found + 1] = i end\nend\nreturn found\n",
  },
  keepLease: {
    name: "keepLease",
    keys: { lease: 'one' },
    args: { token: 'one', ttlMs: 'one' },
    records: {  },
    sha1: '4f8b5d0f5b24eea8cb9d26100831592f15bc8e40',
    lua: "-- Keeps a lease for as long again, or gives it back, if it is still the holder's.\n--\n-- KEYS[1] lease    holds the token of who has it\n-- ARGV[1] token    the caller's\n-- ARGV[2] ttlMs    how long it is kept from now on; 0 gives it back\n-- Returns 1, or 0 where the lease is not the caller's.\nif redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end\nif ARGV[2] == '0' then return redis.call('DEL', KEYS[1]) end\nreturn redis.call('PEXPIRE', KEYS[1], ARGV[2])\n",
  },
  openRecord: {
    name: "openRecord",
    keys: { open: 'one', records: 'one', listed: 'one' },
    args: { owner: 'one', id: 'one', record: 'one', score: 'one' },
    records: {  },
    sha1: '187195379a3029d61793dc30e5c4f8bf357d719b',
    lua: "-- Adds and lists an owner's record, or finds the owner's open one: an owner has at most one open record.\n--\n-- KEYS[1] open      hash: owner -> id of the open record\n-- KEYS[2] records   hash: id -> record\n-- KEYS[3] listed    sorted set of ids\n-- ARGV[1] owner\n-- ARGV[2] id        of the new record\n-- ARGV[3] record    the new one\n-- ARGV[4] score     by which it is listed\n-- Returns the owner's open record: the new one if there was none.\n-- Cost: O(log N) of those listed.\nlocal id = redis.call('HGET', KEYS[1], ARGV[1])\nlocal known = id and redis.call('HGET', KEYS[2], id)\nif known then return known end\nredis.call('HSET', KEYS[1], ARGV[1], ARGV[2])\nredis.call('HSET', KEYS[2], ARGV[2], ARGV[3])\nredis.call('ZADD', KEYS[3], ARGV[4], ARGV[2])\nreturn ARGV[3]\n",
  },
  putFieldWhile: {
    name: "putFieldWhile",
    keys: { condition: 'one', hash: 'one' },
    args: { conditionField: 'one', expected: 'one', field: 'one', value: 'one' },
    records: {  },
    sha1: 'fb9c5fff9cef6977b58e01802056124c64a86e7b',
    lua: "-- Puts a field into a hash, or drops it, while a field of another hash is what it is thought to be.\n--\n-- KEYS[1] condition   hash\n-- KEYS[2] hash\n-- ARGV[1] conditionField\n-- ARGV[2] expected   what that field must be\n-- ARGV[3] field\n-- ARGV[4] value      what it becomes; empty: the field goes\n-- Returns 1, or 0 where the other field is something else by now.\n-- Cost: O(1).\nif redis.call('HGET', KEYS[1], ARGV[1]) ~= ARGV[2] then return 0 end\nif ARGV[4] == '' then\n  redis.call('HDEL', KEYS[2], ARGV[3])\nelse\n  redis.call('HSET', KEYS[2], ARGV[3], ARGV[4])\nend\nreturn 1\n",
  },
  putRules: {
    name: "putRules",
    keys: { rules: 'one' },
    args: { document: 'one', stamp: 'one', ms: 'one', expected: 'one' },
    records: {  },
    sha1: '54cae4791d7be3bc60de3df0c923c4d028f34b94',
    lua: "-- Puts a document in force for every process, unless it is the one in force.\n-- KEYS[1] rules   hash: document (empty: withdrawn), revision: how many there were, stamp: by which one is told from\n--     all others, and sinceMs\n-- ARGV[1] document   JSON, empty to withdraw what is in force\n-- ARGV[2] stamp   a new one\n-- ARGV[3] ms   the time\n-- ARGV[4] expected   the revision that is to be in force before, -1: any\n-- Returns the revision in force: a new one each time that another document is put. -1: another is in force than was\n--   expected, and nothing was put.\n-- Cost: O(1).\nlocal call = redis.call\nlocal kept = call('HMGET', KEYS[1], 'revision', 'document')\nlocal revision = tonumber(kept[1]) or 0\nif (kept[2] or '') == ARGV[1] then return revision end\nlocal expected = tonumber(ARGV[4])\nif expected >= 0 and expected ~= revision then return -1 end\ncall('HSET', KEYS[1], 'document', ARGV[1], 'stamp', ARGV[2], 'sinceMs', ARGV[3])\nreturn call('HINCRBY', KEYS[1], 'revision', 1)\n",
  },
} as const satisfies Record<string, Script>;
