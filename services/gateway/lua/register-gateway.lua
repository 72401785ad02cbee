-- Heartbeat of a gateway: registers it with the store. Creates the store if it is missing or belongs to another process
-- of Redis. See docs/adr/0013-counter-recovery.md.
--
-- KEYS   1   the store: hash `rl:store`
-- ARGV   1   run id of Redis
--        2   id of this gateway
--        3   1 if this gateway may have counted before, else 0
--        4   age of its list of gateways in milliseconds
--        5…  that list: the ids of the gateways that it knows
-- Reply  [minute, pending, created, ready in ms, id, id, …]
--        `pending` is 1 while this gateway has to restore its counts. `created` is 1 if this call created the store.
--        The ids are those of all registered gateways.
--
-- Fields of the store, shared with gateways of other releases:
--        run           run id of Redis
--        token         identity of the store; blocks of a quota belong to one store
--        since         minute of creation
--        opens         time when it is ready
--        awaited       number of pending restores
--        p:<gateway>   time of its last heartbeat
--        w:<gateway>   1 while its restore is pending
--
-- Invariants
-- 1. Every gateway that may have counted in the minute of the creation has a pending restore: this gateway, and those of
--    its list, in case they died.
-- 2. A list from before this minute is ignored: its gateways have not counted in this minute, or register themselves.
-- 3. A gateway that was registered before does not get a second restore.
-- 4. A gateway without a heartbeat in this minute is removed. It cannot have counted in it.

-- Longer than two heartbeats. The same number is in charge-request.lua and charge-month.lua.
local registration_ms = 600
-- A heartbeat may be older than the start of the minute by this much.
local tolerance_ms = 5000

local time = redis.call('TIME')
local seconds = tonumber(time[1])
local now = seconds * 1000 + math.floor(tonumber(time[2]) / 1000)
local minute = math.floor(seconds / 60)
local oldest_heartbeat = minute * 60000 - tolerance_ms

local store, created = KEYS[1], 0
local run_id, self = ARGV[1], ARGV[2]
if redis.call('HGET', store, 'run') ~= run_id then
  created = 1
  redis.call('DEL', store)
  redis.call('HSET', store, 'run', run_id, 'token', run_id .. ':' .. time[1] .. ':' .. time[2],
    'since', minute, 'opens', now + registration_ms, 'awaited', 0)
end

local since = tonumber(redis.call('HGET', store, 'since'))
local function expect_restore(gateway)
  if redis.call('HSETNX', store, 'p:' .. gateway, now) == 1 and since >= minute then
    redis.call('HSET', store, 'w:' .. gateway, 1)
    redis.call('HINCRBY', store, 'awaited', 1)
  end
end
if ARGV[3] == '1' then expect_restore(self) end
if now - tonumber(ARGV[4]) >= oldest_heartbeat then
  for i = 5, #ARGV do expect_restore(ARGV[i]) end
end
redis.call('HSET', store, 'p:' .. self, now)

local ready_in_ms = math.max(0, tonumber(redis.call('HGET', store, 'opens')) - now)
local reply = {minute, redis.call('HEXISTS', store, 'w:' .. self), created, ready_in_ms}
local fields = redis.call('HGETALL', store)
for i = 1, #fields, 2 do
  if string.sub(fields[i], 1, 2) == 'p:' then
    local gateway = string.sub(fields[i], 3)
    if tonumber(fields[i + 1]) >= oldest_heartbeat then reply[#reply + 1] = gateway
    else redis.call('HDEL', store, fields[i], 'w:' .. gateway) end
  end
end
return reply
