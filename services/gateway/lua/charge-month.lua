-- Charges the month of requests whose minute is already charged. They found the leased block used up.
--
-- KEYS   1   the store: hash `rl:store`
--        2   of the first request: hash of its API key (`rl:<key id>`)
--        3   of the second request, and so on
-- ARGV   1   JSON array with one array for each request:
--            1  deadline in milliseconds since the epoch
--            2  how long one gateway has the exclusive right to lease a block, in milliseconds
--        2   run id of the process of Redis
-- Reply  JSON array with one reply for each request, in their order: [state, now, 0, month, 0].
--        `now` is in milliseconds since the epoch, `month` is 202611 for November 2026.
--        States: `ok` (one unit of the month is charged), `quota`, `lease`, `wait` and `late`, as in charge-request.lua.
--        Only `ok` charges something.
--
-- Invariants 1 and 3 to 5 of charge-request.lua.

local keep_seconds = 40 * 24 * 60 * 60

local time = redis.call('TIME')
local seconds = tonumber(time[1])
local now = seconds * 1000 + math.floor(tonumber(time[2]) / 1000)

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

local function charge(key, arg)
  if now > arg[1] then return {'late', now} end

  local h = redis.call('HMGET', key, 'month', 'left', 'spent', 'leasing', 'store')
  local is_block_valid = tonumber(h[1]) == month and h[5] == token
  local left = is_block_valid and tonumber(h[2]) or 0
  if left > 0 then
    redis.call('HSET', key, 'left', left - 1)
    return {'ok', now, 0, month, 0}
  end

  if is_block_valid and h[3] == '1' then return {'quota', now, 0, month, 0} end
  if is_block_valid and (tonumber(h[4]) or 0) > now then return {'wait', now, 0, month, 0} end
  redis.call('HSET', key, 'month', month, 'left', 0, 'spent', 0, 'leasing', now + arg[2], 'store', token)
  redis.call('EXPIRE', key, keep_seconds)
  return {'lease', now, 0, month, 0}
end

local replies = {}
for i, arg in ipairs(cjson.decode(ARGV[1])) do
  local ok, reply = pcall(charge, KEYS[i + 1], arg)
  if not ok then reply = {err = type(reply) == 'table' and reply.err or tostring(reply)} end
  replies[i] = reply
end
return cjson.encode(replies)
