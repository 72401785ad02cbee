// Whether the process of this container is ready: node healthy.mjs <port> [path]. For engines that ask by a command.
const [port, path = '/readyz'] = process.argv.slice(2);
const answer = await fetch(`http://127.0.0.1:${port}${path}`, { signal: AbortSignal.timeout(4_000) }).catch(
  () => undefined,
);
process.exitCode = answer?.ok ? 0 : 1;
