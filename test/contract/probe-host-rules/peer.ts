import { createSocket } from 'node:dgram';
import { createConnection, createServer, isIPv6, type Socket } from 'node:net';
import { createInterface } from 'node:readline';

/** What the namespaces of the tests are peopled with: listeners that tell of each arrival, and those who try to reach them. */

export interface Place {
  readonly kind: 'tcp' | 'udp';
  readonly address: string;
  readonly port: number;
  /** Source address of the attempt. */
  readonly from?: string;
  /** How long silence is listened to. What is expected to answer is given long, for a machine that is busy. */
  readonly patienceMs?: number;
}

export type Outcome = 'open' | 'silent' | string;

const usualPatienceMs = 5000;
const holdMs = 600;

const say = (line: string): void => void process.stdout.write(`${line}\n`);

async function listen(places: readonly Place[]): Promise<void> {
  await Promise.all(
    places.map(({ kind, address, port }) => {
      const label = `${kind} ${address} ${port}`;
      return new Promise<void>((resolve, reject) => {
        if (kind === 'tcp') {
          const server = createServer((socket: Socket) => {
            say(label);
            socket.on('error', () => socket.destroy());
            socket.pipe(socket);
          });
          server.once('error', reject).listen({ host: address, port, ipv6Only: isIPv6(address) }, resolve);
          return;
        }
        const socket = createSocket({ type: isIPv6(address) ? 'udp6' : 'udp4', ipv6Only: isIPv6(address) });
        socket.on('message', (message, peer) => {
          say(label);
          socket.send(message, peer.port, peer.address);
        });
        socket.once('error', reject).bind(port, address, () => resolve());
      });
    }),
  );
  say('ready');
}

function tryTcp({ address, port, from, patienceMs = usualPatienceMs }: Place): Promise<Outcome> {
  return new Promise((resolve) => {
    const socket = createConnection({ host: address, port, ...(from === undefined ? {} : { localAddress: from }) });
    const end = (outcome: Outcome): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(outcome);
    };
    const timer = setTimeout(() => end('silent'), patienceMs);
    socket.once('connect', () => socket.write('knock'));
    socket.once('data', () => end('open'));
    socket.once('error', (error: NodeJS.ErrnoException) => end(error.code ?? error.message));
  });
}

function tryUdp({ address, port, patienceMs = usualPatienceMs }: Place): Promise<Outcome> {
  return new Promise((resolve) => {
    const socket = createSocket(isIPv6(address) ? 'udp6' : 'udp4');
    const end = (outcome: Outcome): void => {
      clearTimeout(timer);
      socket.close();
      resolve(outcome);
    };
    const timer = setTimeout(() => end('silent'), patienceMs);
    socket.once('message', () => end('open'));
    socket.once('error', (error: NodeJS.ErrnoException) => end(error.code ?? error.message));
    socket.send('knock', port, address);
  });
}

async function attempt(places: readonly Place[]): Promise<void> {
  const outcomes = await Promise.all(places.map((place) => (place.kind === 'tcp' ? tryTcp(place) : tryUdp(place))));
  say(JSON.stringify(outcomes));
}

/** Opens a connection, and says something on it for each line that it is given. */
function hold([place]: readonly Place[]): void {
  const socket = createConnection({ host: place?.address ?? '', port: place?.port ?? 0 });
  socket.on('error', () => say('closed'));
  socket.on('data', () => say('answered'));
  socket.once('connect', () => say('connected'));
  createInterface({ input: process.stdin }).on('line', () => {
    socket.write('still there');
    setTimeout(() => say('waited'), holdMs);
  });
}

/** A datagram to each place every millisecond, until its input ends. */
function flood(places: readonly Place[]): void {
  let sent = 0;
  const sockets = places.map((place) => ({ place, socket: createSocket(isIPv6(place.address) ? 'udp6' : 'udp4') }));
  const timer = setInterval(() => {
    for (const { place, socket } of sockets) socket.send('knock', place.port, place.address, () => undefined);
    sent += 1;
    if (sent === 50) say('flooding');
    if (sent > 60_000) process.exit(1);
  }, 1);
  process.stdin.resume().once('end', () => {
    clearInterval(timer);
    for (const { socket } of sockets) socket.close();
    say(`sent ${sent}`);
  });
}

const jobs: Readonly<Record<string, (places: readonly Place[]) => unknown>> = { listen, attempt, hold, flood };

if (import.meta.main) {
  const [, , job = '', places = '[]'] = process.argv;
  await jobs[job]?.(JSON.parse(places) as readonly Place[]);
}
