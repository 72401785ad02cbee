// Exits with 0 if the process of this container is ready: node healthy.mjs <port> [path]. For health check commands.
const [port, path = '/readyz'] = process.argv.slice(2);
const response = await fetch(`http://127.0.0.1:${port}${path}`, { signal: AbortSignal.timeout(4_000) }).catch(
  () => undefined,
);
process.exitCode = response?.ok ? 0 : 1;
