import { isIP } from 'node:net';
import { CertificateMaker } from '../certificates/authority.ts';
import type { GateConfig, RouterConfig } from '../config.ts';
import { fixedNames, Resolver } from '../dns/resolve.ts';
import { GateResolver } from '../egress/gate-names.ts';
import { FakeNames } from '../fake-names.ts';
import { catchAllPort } from '../layout.ts';
import type { SharedWorld, World } from '../listener.ts';
import { datagramListeners } from '../listeners.ts';
import type { FromRouter, ToRouter } from './messages.ts';
import { Outbox } from './outbox.ts';
import { StreamPasser } from './pass-streams.ts';
import { Recorder } from './recorder.ts';
import { gateDatagramListeners } from './refuse-datagrams.ts';
import { DatagramServer } from './serve-datagrams.ts';
import { StreamServer } from './serve-streams.ts';
import { openDatagramSocket, openStreamSocket } from './system-sockets.ts';

/**
 * The router process. It is started as root inside the router's namespace, opens its sockets, gives up root for good,
 * and only then reads the first byte that the box wrote. It ends when its parent does.
 */

const nobody = 65_534;
const receiveBufferBytes = 16 * 1024 * 1024;
/** Also how long a stop may take. */
const receiveTimeoutMs = 250;

function send(message: FromRouter): void {
  process.send?.(message);
}

function dropRights(): void {
  process.setgroups?.([]);
  process.setgid?.(nobody);
  process.setuid?.(nobody);
}

function makeWorld(config: RouterConfig): World {
  const names = new FakeNames(config.seed, fixedNames(config.dns));
  return {
    config,
    names,
    resolver: new Resolver(names, config.dns),
    certificates: new CertificateMaker(config.authority),
    scriptsGiven: new Map(),
    logKeys: (line) => send({ type: 'keys', lines: line.toString('latin1') }),
  };
}

interface GateWorld extends SharedWorld {
  readonly resolver: GateResolver;
}

function makeGateWorld({ seed, hosts, caps }: GateConfig): GateWorld {
  // Addresses that the policy names stand for themselves, so that none of them is made up for a name.
  const named = hosts.filter((host) => isIP(host) !== 0);
  const names = new FakeNames(seed, Object.fromEntries(named.map((address) => [address, address])));
  return { config: { caps }, names, resolver: new GateResolver(names, hosts) };
}

const sockets = {
  streams: [openStreamSocket('ipv4', catchAllPort), openStreamSocket('ipv6', catchAllPort)],
  datagrams: (['ipv4', 'ipv6'] as const).map((family) =>
    openDatagramSocket(family, catchAllPort, { receiveBufferBytes, timeoutMs: receiveTimeoutMs }),
  ),
};
dropRights();

const outbox = new Outbox(send);
const recorder = new Recorder((event) => outbox.put(event));

type Streams = Pick<StreamServer, 'listen' | 'close'>;

async function serve(world: SharedWorld, streams: Streams, datagrams: DatagramServer): Promise<() => Promise<void>> {
  for (const fd of sockets.streams) await streams.listen(fd);
  const reading = sockets.datagrams.map((fd) => datagrams.run(fd));
  send({ type: 'ready' });
  return async () => {
    datagrams.close();
    await Promise.all([streams.close(), ...reading]);
    await outbox.drain();
    const { dropped: droppedDatagrams } = datagrams;
    const { forgotten: forgottenNames } = world.names;
    send({ type: 'stopped', droppedDatagrams, forgottenNames, problems: unexpected.count });
  };
}

interface Running {
  stop(): Promise<void>;
  /** A connection that was passed on is closed. */
  forget(connection: number): void;
  setHosts(hosts: readonly string[]): void;
  nameOf(address: string): string | null;
}

async function start(config: RouterConfig): Promise<Running> {
  const world = makeWorld(config);
  const streams = new StreamServer(world, recorder);
  const stop = await serve(world, streams, new DatagramServer(world, recorder, datagramListeners));
  return { stop, forget: () => undefined, setHosts: () => undefined, nameOf: (address) => world.names.nameOf(address) };
}

async function startGate(config: GateConfig): Promise<Running> {
  const world = makeGateWorld(config);
  const passer = new StreamPasser(world, recorder, config, (stream, socket) => {
    process.send?.({ type: 'stream', ...stream } satisfies FromRouter, socket, {}, () => undefined);
  });
  const stop = await serve(world, passer, new DatagramServer(world, recorder, gateDatagramListeners));
  return {
    stop,
    forget: (connection) => passer.forget(connection),
    setHosts: (hosts) => world.resolver.setHosts(hosts),
    nameOf: (address) => passer.nameOf(address),
  };
}

/** The box must not be able to end the recording by what it sends; a failure is counted, and the run is incomplete. */
const unexpected = { count: 0 };
process.on('uncaughtException', (error) => {
  unexpected.count += 1;
  process.stderr.write(`${error.stack}\n`);
});

const started = Promise.withResolvers<Running>();

process.on('message', (message: ToRouter) => {
  if (message.type === 'acknowledge') outbox.acknowledge();
  if (message.type === 'start') start(message.config).then(started.resolve, started.reject);
  if (message.type === 'start-gate') startGate(message.config).then(started.resolve, started.reject);
  if (message.type === 'stream-ended') void started.promise.then(({ forget }) => forget(message.connection));
  if (message.type === 'set-hosts') {
    void started.promise.then(({ setHosts }) => {
      setHosts(message.hosts);
      send({ type: 'hosts-set', id: message.id });
    });
  }
  if (message.type === 'name-of') {
    const { id, address } = message;
    void started.promise.then(({ nameOf }) => send({ type: 'name', id, name: nameOf(address) }));
  }
  if (message.type === 'stop') void started.promise.then(({ stop }) => stop());
});
process.on('disconnect', () => process.exit(0));
started.promise.catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  process.exit(1);
});
send({ type: 'waiting' });
