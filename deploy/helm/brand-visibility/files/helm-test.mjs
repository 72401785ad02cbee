// Checks that every process is ready, that the edge returns 200 and 401, and that the operator API reaches the databases.
const fullname = process.env.FULLNAME;
const monitored = process.env.MONITORED.split(',');
const expected = [
  ...monitored.map((address) => [`http://${address}/readyz`, 200]),
  [`${process.env.GATEWAY}/openapi.json`, 200],
  [`${process.env.GATEWAY}/openapi-clients.json`, 200],
  [`${process.env.GATEWAY}/docs`, 200],
  [`${process.env.GATEWAY}/v1/orgs`, 401],
  [`http://${fullname}-operator:8090/operator/v1/orgs`, 401],
  [`http://${fullname}-operator:8090/operator/v1/orgs?limit=1`, 200, process.env.OPERATOR_TOKEN],
];
const deadline = Date.now() + Number(process.env.WAIT_MS);
const request = async (url, token) => {
  try {
    const headers = token ? { authorization: `Bearer ${token}` } : {};
    return (await fetch(url, { headers, signal: AbortSignal.timeout(5000) })).status;
  } catch (error) {
    return error.cause?.code ?? error.name;
  }
};
let failed = false;
for (const [url, status, token] of expected) {
  let actual = await request(url, token);
  while (actual !== status && Date.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, 1000));
    actual = await request(url, token);
  }
  console.log(`${actual === status ? 'ok  ' : 'FAIL'} ${url} ${actual}`);
  failed ||= actual !== status;
}
process.exit(failed ? 1 : 0);
