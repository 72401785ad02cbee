// Every process says ready, the edge answers and refuses, and the operator API reaches the databases.
const fullname = process.env.FULLNAME;
const monitored = process.env.MONITORED.split(',');
const expected = [
  ...monitored.map((address) => [`http://${address}/readyz`, 200]),
  [`${process.env.GATEWAY}/openapi.json`, 200],
  [`${process.env.GATEWAY}/docs`, 200],
  [`${process.env.GATEWAY}/v1/orgs`, 401],
  [`http://${fullname}-operator:8090/operator/v1/orgs`, 401],
  [`http://${fullname}-operator:8090/operator/v1/orgs?limit=1`, 200, process.env.OPERATOR_TOKEN],
];
const deadline = Date.now() + Number(process.env.WAIT_MS);
const ask = async (url, token) => {
  try {
    const headers = token ? { authorization: `Bearer ${token}` } : {};
    return (await fetch(url, { headers, signal: AbortSignal.timeout(5000) })).status;
  } catch (error) {
    return error.cause?.code ?? error.name;
  }
};
let failed = false;
for (const [url, status, token] of expected) {
  let got = await ask(url, token);
  while (got !== status && Date.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, 1000));
    got = await ask(url, token);
  }
  console.log(`${got === status ? 'ok  ' : 'FAIL'} ${url} ${got}`);
  failed ||= got !== status;
}
process.exit(failed ? 1 : 0);
