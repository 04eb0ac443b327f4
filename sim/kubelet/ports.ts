// What listens in a Pod of the simulated kubelet: port 7 repeats what it is told, port 80 is a small web server.

/** One connection to a port, from inside. */
export interface Listener {
  /** `undefined`: the client has said all. */
  receive(bytes: Uint8Array | undefined): void;
}

export interface Client {
  write(bytes: Uint8Array): void;
  end(): void;
}

const PORTS: Readonly<Record<number, (client: Client) => Listener>> = {
  7: client => ({ receive: bytes => (bytes === undefined ? client.end() : client.write(bytes)) }),
  80: client => web(client),
};

/** Undefined: nobody listens there. */
export const connect = (port: number, client: Client): Listener | undefined => PORTS[port]?.(client);

/** The words of a kubelet that found the port closed. */
export const refusedText = (port: number, pod: string): string =>
  `an error occurred forwarding ${port} -> ${port}: error forwarding port ${port} to pod ${pod}: connect: connection refused`;

const BODY = 'hello from port 80\n';

/** Answers one request, whatever it is. */
function web(client: Client): Listener {
  let request = '';
  let isAnswered = false;
  return {
    receive: bytes => {
      request += bytes === undefined ? '' : Buffer.from(bytes).toString('latin1');
      if (bytes === undefined) return isAnswered ? undefined : client.end();
      if (isAnswered || !request.includes('\r\n\r\n')) return;
      isAnswered = true;
      const head = `HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: ${BODY.length}\r\nconnection: close`;
      client.write(Buffer.from(`${head}\r\n\r\n${BODY}`));
      client.end();
    },
  };
}
