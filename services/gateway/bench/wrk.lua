-- Every request carries one of the keys, at random or in turn; each thread has a port of its own.
local ports = {}
for port in string.gmatch(os.getenv('PORTS'), '%d+') do ports[#ports + 1] = port end
local next_port = 0

function setup(thread)
  next_port = next_port % #ports + 1
  thread.addr = wrk.lookup('127.0.0.1', ports[next_port])[1]
end

local requests = {}
local delay_ms = tonumber(os.getenv('DELAY_MS'))

function init()
  math.randomseed(os.time())
  -- LuaJIT's hash of a long text looks at its two ends and its middle: there the key has to be, or all of a hundred
  -- thousand requests collide, and making them takes minutes.
  local before = 'GET ' .. wrk.path .. ' HTTP/1.1\r\nAuthorization: Bearer '
  local after = '\r\nHost: ' .. wrk.headers['Host'] .. '\r\nAccept: application/json\r\nUser-Agent: wrk\r\n\r\n'
  for key in io.lines(os.getenv('KEYS')) do requests[#requests + 1] = before .. key .. after end
end

local last = 0

if os.getenv('IN_TURN') == 'true' then
  function request()
    last = last % #requests + 1
    return requests[last]
  end
else
  function request() return requests[math.random(#requests)] end
end

if delay_ms > 0 then
  -- wrk cuts what it is given to whole milliseconds: half of one is added, or the load is a few hundredths more.
  function delay() return math.random() * 2 * delay_ms + 0.5 end
end

function done(summary, latency)
  local e = summary.errors
  io.write(string.format(
    'RESULT {"requests":%d,"microseconds":%d,"p50":%d,"p99":%d,"errors":{"connect":%d,"read":%d,"write":%d,"status":%d,"timeout":%d}}\n',
    summary.requests, summary.duration, latency:percentile(50), latency:percentile(99),
    e.connect, e.read, e.write, e.status, e.timeout))
end
