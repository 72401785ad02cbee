-- Marks the restore of a gateway as complete.
--
-- KEYS   1   the store: hash `rl:store`
-- ARGV   1   run id of Redis
--        2   id of the gateway
-- Reply  1, or 0 if the store belongs to another process of Redis.
--
-- Invariants
-- 1. A store of another process of Redis is not changed.
-- 2. Each pending restore is completed once, so `awaited` reaches 0 when the last gateway has restored its counts.

local store, gateway = KEYS[1], ARGV[2]
if redis.call('HGET', store, 'run') ~= ARGV[1] then return 0 end
if redis.call('HDEL', store, 'w:' .. gateway) == 1 then redis.call('HINCRBY', store, 'awaited', -1) end
return 1
