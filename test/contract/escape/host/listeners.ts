import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import { chmodSync, mkdirSync } from 'node:fs';
import { type AddressInfo, createServer, type ListenOptions, type Server } from 'node:net';
import { join } from 'node:path';

/** Listeners of the host that answer anybody and count who came. */
export interface Listeners {
  readonly tcpPort: number;
  readonly udpPort: number;
  readonly freePort: number;
  readonly unixSocket: string;
  readonly dockerBait: string;
  readonly abstractName: string;
  /** What came in since the last call. */
  takeVisits(): readonly string[];
  close(): void;
}

function listen(server: Server, where: ListenOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(where, resolve);
  });
}

function bind(socket: UdpSocket, port: number, address: string): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once('error', reject);
    socket.bind(port, address, resolve);
  });
}

function portOf(address: AddressInfo | string | null): number {
  return address !== null && typeof address === 'object' ? address.port : 0;
}

async function findFreePort(): Promise<number> {
  const server = createServer();
  await listen(server, { port: 0, host: '0.0.0.0' });
  const port = portOf(server.address());
  await new Promise((resolve) => server.close(resolve));
  return port;
}

export async function openListeners(folder: string, nonce: string): Promise<Listeners> {
  const visits: string[] = [];
  const count = (name: string): Server =>
    createServer((socket) => {
      visits.push(`somebody connected to the ${name} of the host`);
      socket.on('error', () => undefined);
      socket.end('welcome\n');
    });
  const servers = {
    tcp: count('TCP port'),
    unix: count('unix socket'),
    docker: count('docker socket'),
    abstract: count('abstract socket'),
  };
  const sockets = [createSocket('udp4'), createSocket({ type: 'udp6', ipv6Only: true }), createSocket('udp4')] as const;
  const [four, six, stub] = sockets;
  for (const socket of sockets) {
    socket.on('message', (_message, from) => {
      visits.push('a datagram came to a UDP port of the host');
      socket.send('welcome', from.port, from.address);
    });
    socket.on('error', () => undefined);
  }

  // Anybody may pass through the folder and use the sockets: only the box keeps the target from them.
  const sockets0755 = join(folder, 'sockets');
  mkdirSync(sockets0755, { mode: 0o755 });
  const unixSocket = join(sockets0755, 'service');
  const dockerBait = join(sockets0755, 'docker.sock');
  const abstractName = `hotcell-escape-${nonce}`;
  await listen(servers.tcp, { port: 0, host: '::', ipv6Only: false });
  await listen(servers.unix, { path: unixSocket });
  await listen(servers.docker, { path: dockerBait });
  await listen(servers.abstract, { path: `\0${abstractName}` });
  for (const path of [unixSocket, dockerBait]) chmodSync(path, 0o777);
  await bind(four, 0, '0.0.0.0');
  const udpPort = four.address().port;
  await bind(six, udpPort, '::').catch(() => undefined);
  // Another resolver may be there already; then it is the one that must not answer.
  await bind(stub, 53, '127.0.0.53').catch(() => undefined);

  return {
    tcpPort: portOf(servers.tcp.address()),
    udpPort,
    freePort: await findFreePort(),
    unixSocket,
    dockerBait,
    abstractName,
    takeVisits: () => visits.splice(0),
    close() {
      for (const server of Object.values(servers)) server.close();
      for (const socket of sockets) socket.close();
    },
  };
}
