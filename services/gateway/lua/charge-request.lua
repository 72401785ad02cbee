-- Charges a batch of requests: minute window and monthly quota of their API keys.
--
-- KEYS   1      the store: hash `rl:store`
--        2, 3   of the first request: hash of its API key (`rl:<key id>`) and of its client address (`fa:<address>`)
--        4, 5   of the second request, and so on
-- ARGV   1      JSON array with one array for each request:
--               1  deadline in milliseconds since the epoch
--               2  how long one gateway has the exclusive right to lease a block, in milliseconds
--               3  requests that the key may make in a minute
--               4  minute in which this gateway last counted the key, in minutes since the epoch
--               5  count of that minute
--               6  charge of the month: `none`, `unlimited` or `quota`
--               7  number of failed attempts that blocks an address
--        2      run id of the process of Redis
-- Reply  JSON array with one reply for each request, in their order: [state, now, count, month, minute].
--        `now` is in milliseconds since the epoch, `count` includes this request, `month` is 202611 for November 2026.
--
--        state             meaning                                                 charged
--        ok                admitted                                                minute, and month for `quota`
--        rate              the minute has no request left                          nothing
--        quota             the month has no request left                           minute
--        lease             the leased block is used up, the caller leases the next minute
--        wait              as `lease`, but another gateway leases it               minute
--        address_blocked   the address had too many failed attempts in this minute nothing
--        late              the deadline has passed                                 nothing
--
-- Invariants
-- 1. After its deadline a request changes nothing, because its caller has timed out.
-- 2. The higher of the stored and the observed count is used: Redis may have lost its own (docs/adr/0013-loss-of-redis.md).
-- 3. One gateway at a time may lease a block, so Redis never holds more than one (docs/adr/0012-quota-leasing.md).
-- 4. A block that was leased into another store does not count: a restarted Redis may have read it from its disk after
--    it was used.
-- 5. An error of one request does not affect the others. Its reply is {"err": text}.

local keep_seconds = 40 * 24 * 60 * 60

local time = redis.call('TIME')
local seconds = tonumber(time[1])
local now = seconds * 1000 + math.floor(tonumber(time[2]) / 1000)
local clock_minute = math.floor(seconds / 60)

-- The UTC calendar month (Howard Hinnant's civil_from_days).
local z = math.floor(seconds / 86400) + 719468
local era = math.floor(z / 146097)
local doe = z - era * 146097
local yoe = math.floor((doe - math.floor(doe / 1460) + math.floor(doe / 36524) - math.floor(doe / 146096)) / 365)
local doy = doe - (365 * yoe + math.floor(yoe / 4) - math.floor(yoe / 100))
local mp = math.floor((5 * doy + 2) / 153)
local m = mp < 10 and mp + 3 or mp - 9
local month = (yoe + era * 400 + (m <= 2 and 1 or 0)) * 100 + m

-- A process of Redis that has not charged yet may have read blocks from its disk or from another server. It gets a new
-- token, which none of these blocks has.
local store = redis.call('HMGET', KEYS[1], 'run', 'token')
local token = store[2]
if store[1] ~= ARGV[2] then
  token = ARGV[2] .. ':' .. time[1] .. ':' .. time[2]
  redis.call('HSET', KEYS[1], 'run', ARGV[2], 'token', token)
end

-- Failed attempts of each address of the batch. This script does not count attempts, so it reads each address once.
local attempts = {}

local function is_blocked(address, max_attempts)
  local failed = attempts[address]
  if not failed then
    failed = redis.call('HMGET', address, 'minute', 'count')
    attempts[address] = failed
  end
  return tonumber(failed[1]) == clock_minute and tonumber(failed[2]) >= max_attempts
end

local function charge(key, address, arg)
  if now > arg[1] then return {'late', now} end
  if is_blocked(address, arg[7]) then return {'address_blocked', now, 0, 0, clock_minute} end

  local h = redis.call('HMGET', key, 'minute', 'count', 'month', 'left', 'spent', 'leasing', 'store')
  local stored_minute = tonumber(h[1])
  local minute = clock_minute
  -- A clock that steps back stays in its window.
  if stored_minute and stored_minute == minute + 1 then minute = stored_minute end
  local count = stored_minute == minute and tonumber(h[2]) or 0
  if arg[4] == minute then count = math.max(count, arg[5]) end
  if count >= arg[3] then return {'rate', now, count, month, minute} end
  count = count + 1

  local is_block_valid = tonumber(h[3]) == month and h[7] == token
  local left = is_block_valid and tonumber(h[4]) or 0
  local takes_unit = arg[6] == 'quota' and left > 0
  if takes_unit then
    redis.call('HSET', key, 'minute', minute, 'count', count, 'left', left - 1)
  else
    redis.call('HSET', key, 'minute', minute, 'count', count)
  end
  if stored_minute ~= minute then redis.call('EXPIRE', key, keep_seconds) end
  if takes_unit or arg[6] ~= 'quota' then return {'ok', now, count, month, minute} end

  if is_block_valid and h[5] == '1' then return {'quota', now, count, month, minute} end
  if is_block_valid and (tonumber(h[6]) or 0) > now then return {'wait', now, count, month, minute} end
  redis.call('HSET', key, 'month', month, 'left', 0, 'spent', 0, 'leasing', now + arg[2], 'store', token)
  redis.call('EXPIRE', key, keep_seconds)
  return {'lease', now, count, month, minute}
end

local replies = {}
for i, arg in ipairs(cjson.decode(ARGV[1])) do
  local ok, reply = pcall(charge, KEYS[2 * i], KEYS[2 * i + 1], arg)
  if not ok then reply = {err = type(reply) == 'table' and reply.err or tostring(reply)} end
  replies[i] = reply
end
return cjson.encode(replies)
