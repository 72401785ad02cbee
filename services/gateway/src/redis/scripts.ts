/** Every script starts by reading the clock of Redis, which all gateways share. */
export const clock = `
local t = redis.call('TIME')
local seconds = tonumber(t[1])
local now = seconds * 1000 + math.floor(tonumber(t[2]) / 1000)
`;

/** Hash that identifies the store of counters, so that an emptied or restarted Redis is detected. See counter-recovery.ts. */
export const storeName = 'rl:store';

/** Name of the hash with minute and month of an API key. */
export const allowanceKey = (keyId: string): string => `rl:${keyId}`;

/**
 * Builds a script that runs a batch of calls. KEYS: the store, then the keys of each call, the same number for each. ARGV:
 * one JSON array with the argument array of each call. Returns the replies in the order of the calls, as JSON. A failed
 * call has the reply `{"err"}` and does not affect the others.
 */
const forEachCall = (shared: string, body: string): string => `${clock}${shared}
local function run(key, address, arg)
${body}
end
local replies, calls = {}, cjson.decode(ARGV[1])
local keys = (#KEYS - 1) / #calls
for i, arg in ipairs(calls) do
  local first = (i - 1) * keys + 2
  local ok, reply = pcall(run, KEYS[first], KEYS[first + 1], arg)
  if not ok then reply = {err = type(reply) == 'table' and reply.err or tostring(reply)} end
  replies[i] = reply
end
return cjson.encode(replies)
`;

/** After its deadline a call must change nothing, because its caller has timed out. */
const deadline = `
if now > arg[1] then return {'late', now} end
`;

/** Time in which gateways register with a store that was created again. Longer than two heartbeats. */
export const registrationMs = 600;

/**
 * Refuses to count while the store is incomplete: it is missing, or it was created in this minute and not all gateways have
 * restored their counts. A clock that was set back to long before the creation does not block counting.
 */
const store = `
local store = redis.call('HMGET', KEYS[1], 'since', 'awaited', 'opens', 'token')
local complete = store[1] and true
if complete then
  local opensIn = tonumber(store[3]) - now
  if opensIn > 0 and opensIn <= ${registrationMs} then complete = false end
  local age = math.floor(seconds / 60) - tonumber(store[1])
  if (age == 0 or age == -1) and tonumber(store[2]) > 0 then complete = false end
end
`;

const complete = `
if not complete then return {'lost', now} end
`;

/** The UTC calendar month, 202611 for November 2026 (Howard Hinnant's civil_from_days). */
const calendarMonth = `
local z = math.floor(seconds / 86400) + 719468
local era = math.floor(z / 146097)
local doe = z - era * 146097
local yoe = math.floor((doe - math.floor(doe / 1460) + math.floor(doe / 36524) - math.floor(doe / 146096)) / 365)
local doy = doe - (365 * yoe + math.floor(yoe / 4) - math.floor(yoe / 100))
local mp = math.floor((5 * doy + 2) / 153)
local m = mp < 10 and mp + 3 or mp - 9
local month = (yoe + era * 400 + (m <= 2 and 1 or 0)) * 100 + m
`;

export const keepSeconds = 40 * 24 * 60 * 60;

/**
 * Reads the hash of a key once: minute and count, month and the rest of its leased block. A block that was leased into
 * another store does not count: a restarted Redis may have read it from its disk after it was used.
 */
const readKey = `
local h = redis.call('HMGET', key, 'minute', 'count', 'month', 'left', 'spent', 'leasing', 'store')
local same = tonumber(h[3]) == month and h[7] == store[4]
local left = same and tonumber(h[4]) or 0
`;

/**
 * Runs when the leased block of the month is used up. Only one gateway at a time gets the reply to lease the next block,
 * so that Redis never holds more than one block.
 */
const requestLease = `
if same and h[5] == '1' then return {'quota', now, count, month, minute} end
if same and (tonumber(h[6]) or 0) > now then return {'wait', now, count, month, minute} end
redis.call('HSET', key, 'month', month, 'left', 0, 'spent', 0, 'leasing', now + arg[2],
  'store', store[4])
redis.call('EXPIRE', key, ${keepSeconds})
return {'lease', now, count, month, minute}
`;

/**
 * Refuses an address with too many failed attempts in this minute before anything is charged. A batch reads each address
 * once, because this script does not count attempts.
 */
const checkAddress = `
local f = attempts[address]
if not f then
  f = redis.call('HMGET', address, 'minute', 'count')
  attempts[address] = f
end
if tonumber(f[1]) == math.floor(seconds / 60) and tonumber(f[2]) >= arg[7] then
  return {'address_blocked', now, 0, 0, math.floor(seconds / 60)}
end
`;

/**
 * Charges a request. Keys: the hashes of the API key and of the client address. Arguments:
 * 1. deadline, 2. leasing time, 3. allowance of the minute, 4. and 5. minute and count that this gateway observed last,
 * 6. charge of the month (`none`, `unlimited` or `quota`), 7. number of failed attempts that blocks the address.
 * The observed count restores the window after Redis has lost it. A clock that steps back stays in the window.
 */
export const chargeRequestScript = forEachCall(
  `${store}${calendarMonth}
local attempts = {}`,
  `${deadline}${checkAddress}${complete}${readKey}
local minute = math.floor(seconds / 60)
local stored = tonumber(h[1])
if stored and stored == minute + 1 then minute = stored end
local count = stored == minute and tonumber(h[2]) or 0
if arg[4] == minute then count = math.max(count, arg[5]) end
if count >= arg[3] then return {'rate', now, count, month, minute} end
count = count + 1
local leased = arg[6] == 'quota' and left > 0
if leased then
  redis.call('HSET', key, 'minute', minute, 'count', count, 'left', left - 1)
else
  redis.call('HSET', key, 'minute', minute, 'count', count)
end
if stored ~= minute then redis.call('EXPIRE', key, ${keepSeconds}) end
if leased or arg[6] ~= 'quota' then return {'ok', now, count, month, minute} end
${requestLease}`,
);

/** Charges only the month, for a request whose minute is already charged. Arguments: deadline, leasing time. */
export const chargeMonthScript = forEachCall(
  store + calendarMonth,
  `${deadline}${complete}${readKey}
local count, minute = 0, 0
if left > 0 then
  redis.call('HSET', key, 'left', left - 1)
  return {'ok', now, count, month, minute}
end
${requestLease}`,
);

/** Adds leased units to the month, or marks the month as used up. Arguments: month, units, spent (0 or 1). */
export const depositLeaseScript = forEachCall(
  store,
  `
local token = store[4]
if not token then return 0 end
local h = redis.call('HMGET', key, 'month', 'left', 'store')
local stored, month = tonumber(h[1]), arg[1]
if stored and stored > month then return 0 end
local left = stored == month and h[3] == token and tonumber(h[2]) or 0
redis.call('HSET', key, 'month', month, 'left', left + arg[2], 'spent', arg[3], 'leasing', 0,
  'store', token)
redis.call('EXPIRE', key, ${keepSeconds})
return 1
`,
);

/** Refunds one request to the month to which it was charged. Argument: month. */
export const refundMonthScript = forEachCall(
  store,
  `
local token = store[4]
if not token then return 0 end
local h = redis.call('HMGET', key, 'month', 'store')
local stored, month = tonumber(h[1]), arg[1]
if stored and stored > month then return 0 end
if stored ~= month or h[2] ~= token then
  redis.call('HSET', key, 'month', month, 'left', 0, 'spent', 0, 'leasing', 0, 'store', token)
end
redis.call('HINCRBY', key, 'left', 1)
redis.call('EXPIRE', key, ${keepSeconds})
return 1
`,
);

/** Counts one failed attempt. Argument: deadline. */
export const countAttemptScript = forEachCall(
  '',
  `
local minute = math.floor(seconds / 60)
if now > arg[1] then return {now, minute, -1} end
local h = redis.call('HMGET', key, 'minute', 'count')
local count = (tonumber(h[1]) == minute and tonumber(h[2]) or 0) + 1
redis.call('HSET', key, 'minute', minute, 'count', count)
redis.call('EXPIRE', key, 120)
return {now, minute, count}
`,
);
