-- Restores the count of an API key in a minute.
--
-- KEYS   1   hash of the API key (`rl:<key id>`)
-- ARGV   1   minute, in minutes since the epoch
--        2   count that a gateway observed in it
-- Reply  1 if the count was stored, else 0.
--
-- Invariant: neither the minute nor the count of a minute ever falls.

local keep_seconds = 40 * 24 * 60 * 60

local h = redis.call('HMGET', KEYS[1], 'minute', 'count')
local stored_minute, minute, count = tonumber(h[1]) or 0, tonumber(ARGV[1]), tonumber(ARGV[2])
if stored_minute > minute or (stored_minute == minute and tonumber(h[2]) >= count) then return 0 end
redis.call('HSET', KEYS[1], 'minute', minute, 'count', count)
redis.call('EXPIRE', KEYS[1], keep_seconds)
return 1
