import { clock, gatherMs, keepSeconds } from './scripts.ts';

/** Silent since before the minute by more than this, a gateway cannot have counted in it. */
const silenceMs = 5_000;

/**
 * Makes the store anew where it is missing or another process's, and tells of this gateway. KEYS: the store. ARGV:
 * the process, this gateway, whether it may have counted anything yet, how many milliseconds ago it heard of others,
 * and those: heard of before the minute, they have not counted in it or tell of themselves. Answers the minute,
 * whether this gateway is waited for, whether the store is new, in how many milliseconds it opens, and who counts.
 */
export const joinStoreScript = `${clock}
local minute = math.floor(seconds / 60)
local store, created = KEYS[1], 0
if redis.call('HGET', store, 'run') ~= ARGV[1] then
  created = 1
  redis.call('DEL', store)
  redis.call('HSET', store, 'run', ARGV[1], 'token', ARGV[1] .. ':' .. t[1] .. ':' .. t[2],
    'since', minute, 'opens', now + ${gatherMs}, 'awaited', 0)
end
local since = tonumber(redis.call('HGET', store, 'since'))
local function await(id)
  if redis.call('HSETNX', store, 'p:' .. id, now) == 1 and since >= minute then
    redis.call('HSET', store, 'w:' .. id, 1)
    redis.call('HINCRBY', store, 'awaited', 1)
  end
end
if ARGV[3] == '1' then await(ARGV[2]) end
if now - tonumber(ARGV[4]) >= minute * 60000 - ${silenceMs} then
  for i = 5, #ARGV do await(ARGV[i]) end
end
redis.call('HSET', store, 'p:' .. ARGV[2], now)
local opensInMs = math.max(0, tonumber(redis.call('HGET', store, 'opens')) - now)
local answer = {minute, redis.call('HEXISTS', store, 'w:' .. ARGV[2]), created, opensInMs}
local fields = redis.call('HGETALL', store)
for i = 1, #fields, 2 do
  if string.sub(fields[i], 1, 2) == 'p:' then
    local id = string.sub(fields[i], 3)
    if tonumber(fields[i + 1]) >= minute * 60000 - ${silenceMs} then answer[#answer + 1] = id
    else redis.call('HDEL', store, fields[i], 'w:' .. id) end
  end
end
return answer
`;

/** This gateway has put back what it saw. KEYS: the store. ARGV: the process, this gateway. */
export const arriveScript = `
if redis.call('HGET', KEYS[1], 'run') ~= ARGV[1] then return 0 end
if redis.call('HDEL', KEYS[1], 'w:' .. ARGV[2]) == 1 then redis.call('HINCRBY', KEYS[1], 'awaited', -1) end
return 1
`;

/** KEYS: the key's hash. ARGV: minute and count that a gateway has seen. */
export const restoreWindowScript = `
local w = redis.call('HMGET', KEYS[1], 'minute', 'count')
local stored, minute, count = tonumber(w[1]) or 0, tonumber(ARGV[1]), tonumber(ARGV[2])
if stored > minute or (stored == minute and tonumber(w[2]) >= count) then return 0 end
redis.call('HSET', KEYS[1], 'minute', minute, 'count', count)
redis.call('EXPIRE', KEYS[1], ${keepSeconds})
return 1
`;
