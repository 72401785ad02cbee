/** The inspector of a Node process on this machine. */
export type Inspector = {
  call: (method: string, params?: object) => Promise<unknown>;
  close: () => void;
};

type Waiting = { resolve: (result: unknown) => void; reject: (error: Error) => void };
type Message = { id?: number; result?: unknown; error?: { message: string } };

export async function openInspector(port: number): Promise<Inspector> {
  const targets = await (await fetch(`http://127.0.0.1:${port}/json/list`)).json();
  const [target] = targets as { webSocketDebuggerUrl: string }[];
  const socket = new WebSocket(target?.webSocketDebuggerUrl ?? '');
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener('open', () => resolve());
    socket.addEventListener('error', () => reject(new Error('the inspector does not respond')));
  });
  const waiting = new Map<number, Waiting>();
  let last = 0;
  socket.addEventListener('message', ({ data }) => {
    const { id, result, error } = JSON.parse(String(data)) as Message;
    if (id === undefined) return;
    if (error === undefined) waiting.get(id)?.resolve(result);
    else waiting.get(id)?.reject(new Error(`the inspector: ${error.message}`));
    waiting.delete(id);
  });
  socket.addEventListener('close', () => {
    for (const { reject } of waiting.values()) reject(new Error('the connection to the inspector is closed'));
  });
  return {
    call: (method, params = {}) =>
      new Promise((resolve, reject) => {
        if (socket.readyState !== WebSocket.OPEN)
          return reject(new Error('the connection to the inspector is closed'));
        last += 1;
        waiting.set(last, { resolve, reject });
        socket.send(JSON.stringify({ id: last, method, params }));
      }),
    close: () => socket.close(),
  };
}

/** Reachable bytes: the used heap after forced collections. */
export async function heapInUse({ call }: Inspector): Promise<number> {
  // The first collection keeps what only finalizers and weak references hold.
  for (let times = 0; times < 2; times += 1) await call('HeapProfiler.collectGarbage');
  const { usedSize } = (await call('Runtime.getHeapUsage')) as { usedSize: number };
  return usedSize;
}
