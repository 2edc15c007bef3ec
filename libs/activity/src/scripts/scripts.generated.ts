// Generated from the Lua files beside it by `npm run generate`. Do not edit.
import type { Script } from '@laurel/leaderboard/internals';

/** Every script of the module's own, by its name. */
export const scripts = {
  appendFields: {
    name: "appendFields",
    keys: { hash: 'one' },
    args: { fields: 'list' },
    records: {  },
    sha1: 'ea49371008477e97df1ece72c5054d8daf24e7d8',
    lua: "-- Appends bytes to fields of a hash.\n--\n-- KEYS[1]   hash\n-- ARGV[1..] fields   a field and the bytes to append to it, alternately\n-- Returns nothing. Cost: one HGET and one HSET a field.\nfor i = 1, #ARGV, 2 do\n  local before = redis.call('HGET', KEYS[1], ARGV[i])\n  redis.call('HSET', KEYS[1], ARGV[i], (before or '') .. ARGV[i + 1])\nend\n",
  },
  commitStandings: {
    name: "commitStandings",
    keys: { periods: 'one', order: 'one', drafts: 'one', lease: 'one', leaderboards: 'one', version: 'one' },
    args: { draft: 'one', period: 'one', facts: 'one', startMs: 'one', leaderboard: 'one', known: 'one' },
    records: {  },
    sha1: 'f725b57e95684f2bde1d2a7bb5177d2f42c294c7',
    lua: "-- Makes a draft the standings of its period, once.\n--\n-- KEYS[1] periods   hash: period -> what is known of it\n-- KEYS[2] order     sorted set: periods by their start\n-- KEYS[3] drafts    set of the drafts that are not committed\n-- KEYS[4] lease     there while the draft's writer lives\n-- KEYS[5] leaderboards   set of those that have periods\n-- KEYS[6] version   a number that changes with the users who do not show\n-- ARGV[1] draft     its token\n-- ARGV[2] period\n-- ARGV[3] facts     JSON\n-- ARGV[4] startMs\n-- ARGV[5] leaderboard\n-- ARGV[6] known     the version by which those who do not show were looked up; empty: nobody has been hidden ever\n-- Returns 1, 0 where another draft was committed before, -1 where this one was given up, -2 where others show by now.\nif redis.call('EXISTS', KEYS[4]) == 0 then return -1 end\nif (redis.call('GET', KEYS[6]) or '') ~= ARGV[6] then return -2 end\nif redis.call('HSETNX', KEYS[1], ARGV[2], ARGV[3]) == 0 then return 0 end\nredis.call('ZADD', KEYS[2], ARGV[4], ARGV[2])\nredis.call('SREM', KEYS[3], ARGV[1])\nredis.call('SADD', KEYS[5], ARGV[5])\nredis.call('DEL', KEYS[4])\nreturn 1\n",
  },
  countFields: {
    name: "countFields",
    keys: { hashes: 'list' },
    args: {  },
    records: {  },
    sha1: '633de37473f5bf8b774febe1c62e41b0e35ab1a7',
    lua: "-- Counts the fields of hashes.\n--\n-- KEYS[1..] hashes\n-- Returns how many fields each has.\n-- Cost: O(1) a hash.\nlocal counts = {}\nfor i = 1, #KEYS do\n  counts[i] = redis.call('HLEN', KEYS[i])\nend\nreturn counts\n",
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
    args: { document: 'one', stamp: 'one', source: 'one', ms: 'one', expected: 'one', file: 'optional' },
    records: {  },
    sha1: '772fae00508b5f3a65f90c88f2e1baddf0030e53',
    lua: "-- Puts a document in force for every process, unless it is the one in force, or comes from a file that has not changed\n-- since it was last taken.\n-- KEYS[1] rules   hash: document (empty: withdrawn), revision: how many there were, stamp: by which one is told from\n--     all others, source, sinceMs, and file: the digest of the file last taken\n-- ARGV[1] document   JSON, empty to withdraw what is in force\n-- ARGV[2] stamp   a new one\n-- ARGV[3] source   where it comes from\n-- ARGV[4] ms   the time\n-- ARGV[5] expected   the revision that is to be in force before, -1: any\n-- ARGV[6]? file   the digest of the file that it comes from\n-- Returns the revision in force: a new one each time that another document is put. -1: another is in force than was\n--   expected, and nothing was put.\n-- Cost: O(1).\nlocal call = redis.call\nlocal kept = call('HMGET', KEYS[1], 'revision', 'document', 'file')\nlocal revision = tonumber(kept[1]) or 0\nif ARGV[6] then\n  if kept[3] == ARGV[6] then return revision end\n  call('HSET', KEYS[1], 'file', ARGV[6])\nend\nif (kept[2] or '') == ARGV[1] then return revision end\nlocal expected = tonumber(ARGV[5])\nif expected >= 0 and expected ~= revision then return -1 end\ncall('HSET', KEYS[1], 'document', ARGV[1], 'stamp', ARGV[2], 'source', ARGV[3], 'sinceMs', ARGV[4])\nreturn call('HINCRBY', KEYS[1], 'revision', 1)\n",
  },
  readFields: {
    name: "readFields",
    keys: { hashes: 'list' },
    args: { fields: 'list' },
    records: {  },
    sha1: 'aabbb4e9bc01441d00a112ce6f32c0db82787e02',
    lua: "-- Reads one field of each of several hashes.\n--\n-- KEYS[1..] hashes\n-- ARGV[1..] fields   of each hash one, in their order\n-- Returns each field's value, false where there is none.\n-- Cost: O(1) a hash.\nlocal found = {}\nfor i = 1, #KEYS do\n  found[i] = redis.call('HGET', KEYS[i], ARGV[i])\nend\nreturn found\n",
  },
  replaceField: {
    name: "replaceField",
    keys: { hash: 'one' },
    args: { field: 'one', expected: 'one', value: 'one' },
    records: {  },
    sha1: '0b00f26e0f2b0a4ca2c4ea7ad0bd0940b9ae2acf',
    lua: "-- Replaces a field of a hash, if it is still what it was when it was read.\n--\n-- KEYS[1] hash\n-- ARGV[1] field\n-- ARGV[2] expected   what it was\n-- ARGV[3] value      what it becomes; empty: the field goes\n-- Returns 1, or 0 where it is something else by now.\n-- Cost: O(1).\nif redis.call('HGET', KEYS[1], ARGV[1]) ~= ARGV[2] then return 0 end\nif ARGV[3] == '' then return redis.call('HDEL', KEYS[1], ARGV[1]) end\nredis.call('HSET', KEYS[1], ARGV[1], ARGV[3])\nreturn 1\n",
  },
} as const satisfies Record<string, Script>;
