import { clock, registrationMs, keepSeconds } from './scripts.ts';

/** Tolerance: a gateway whose last heartbeat is older than the start of the minute by more cannot have counted in it. */
const heartbeatToleranceMs = 5_000;

/**
 * Registers a gateway. Creates the store again if it is missing or belongs to another Redis process. KEYS: the store.
 * ARGV: 1. run id of Redis, 2. id of this gateway, 3. whether it may have counted (0 or 1), 4. age of its list of members
 * in milliseconds, 5. and following: that list. A list from before this minute is ignored: its members have not counted
 * in this minute, or register themselves.
 * Returns the minute, whether the restore of this gateway is pending, whether the store was created, in how many
 * milliseconds it is ready, and the ids of the registered gateways.
 *
 * Fields of the store, shared with gateways of other releases: `run` run id, `token` identity of the store, `since` minute
 * of creation, `opens` time when it is ready, `awaited` number of pending restores, `p:<gateway>` last heartbeat,
 * `w:<gateway>` pending restore.
 */
export const registerScript = `${clock}
local minute = math.floor(seconds / 60)
local store, created = KEYS[1], 0
if redis.call('HGET', store, 'run') ~= ARGV[1] then
  created = 1
  redis.call('DEL', store)
  redis.call('HSET', store, 'run', ARGV[1], 'token', ARGV[1] .. ':' .. t[1] .. ':' .. t[2],
    'since', minute, 'opens', now + ${registrationMs}, 'awaited', 0)
end
local since = tonumber(redis.call('HGET', store, 'since'))
local function await(id)
  if redis.call('HSETNX', store, 'p:' .. id, now) == 1 and since >= minute then
    redis.call('HSET', store, 'w:' .. id, 1)
    redis.call('HINCRBY', store, 'awaited', 1)
  end
end
if ARGV[3] == '1' then await(ARGV[2]) end
if now - tonumber(ARGV[4]) >= minute * 60000 - ${heartbeatToleranceMs} then
  for i = 5, #ARGV do await(ARGV[i]) end
end
redis.call('HSET', store, 'p:' .. ARGV[2], now)
local opensInMs = math.max(0, tonumber(redis.call('HGET', store, 'opens')) - now)
local reply = {minute, redis.call('HEXISTS', store, 'w:' .. ARGV[2]), created, opensInMs}
local fields = redis.call('HGETALL', store)
for i = 1, #fields, 2 do
  if string.sub(fields[i], 1, 2) == 'p:' then
    local id = string.sub(fields[i], 3)
    if tonumber(fields[i + 1]) >= minute * 60000 - ${heartbeatToleranceMs} then reply[#reply + 1] = id
    else redis.call('HDEL', store, fields[i], 'w:' .. id) end
  end
end
return reply
`;

/** Marks the restore of this gateway as complete. KEYS: the store. ARGV: run id of Redis, id of this gateway. */
export const completeRestoreScript = `
if redis.call('HGET', KEYS[1], 'run') ~= ARGV[1] then return 0 end
if redis.call('HDEL', KEYS[1], 'w:' .. ARGV[2]) == 1 then redis.call('HINCRBY', KEYS[1], 'awaited', -1) end
return 1
`;

/** Restores the count of a key. KEYS: its hash. ARGV: minute and count that a gateway has observed. */
export const restoreWindowScript = `
local w = redis.call('HMGET', KEYS[1], 'minute', 'count')
local stored, minute, count = tonumber(w[1]) or 0, tonumber(ARGV[1]), tonumber(ARGV[2])
if stored > minute or (stored == minute and tonumber(w[2]) >= count) then return 0 end
redis.call('HSET', KEYS[1], 'minute', minute, 'count', count)
redis.call('EXPIRE', KEYS[1], ${keepSeconds})
return 1
`;
