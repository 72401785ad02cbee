// Which of `<name>=<host>:<port>` take a connection within two seconds: their names, one a line.
//   node reach.mjs catalog=10.201.0.7:8081 ...
import { connect } from 'node:net';

async function opens(address) {
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

const named = process.argv.slice(2).map((text) => text.split('='));
const opened = await Promise.all(named.map(([, address]) => opens(address)));
for (const [index, [name]] of named.entries()) if (opened[index]) console.log(name);
