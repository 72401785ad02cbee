// Prints the names of the `<name>=<host>:<port>` arguments that accept a connection within two seconds, one per line.
//   node reach.mjs catalog=10.201.0.7:8081 ...
import { connect } from 'node:net';

async function accepts(address) {
  const [host, port] = address.split(':');
  const socket = connect({ host, port: Number(port), timeout: 2_000 });
  try {
    return await new Promise((resolve) => {
      for (const event of ['connect', 'timeout', 'error'])
        socket.once(event, () => resolve(event === 'connect'));
    });
  } finally {
    socket.destroy();
  }
}

const targets = process.argv.slice(2).map((text) => text.split('='));
const accepted = await Promise.all(targets.map(([, address]) => accepts(address)));
for (const [index, [name]] of targets.entries()) if (accepted[index]) console.log(name);
