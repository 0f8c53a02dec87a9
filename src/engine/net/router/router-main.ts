import { CertificateMaker } from '../certificates/authority.ts';
import type { RouterConfig } from '../config.ts';
import { fixedNames, Resolver } from '../dns/resolve.ts';
import { FakeNames } from '../fake-names.ts';
import { catchAllPort } from '../layout.ts';
import type { World } from '../listener.ts';
import type { FromRouter, ToRouter } from './messages.ts';
import { Outbox } from './outbox.ts';
import { Recorder } from './recorder.ts';
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

const sockets = {
  streams: [openStreamSocket('ipv4', catchAllPort), openStreamSocket('ipv6', catchAllPort)],
  datagrams: (['ipv4', 'ipv6'] as const).map((family) =>
    openDatagramSocket(family, catchAllPort, { receiveBufferBytes, timeoutMs: receiveTimeoutMs }),
  ),
};
dropRights();

const outbox = new Outbox(send);
const recorder = new Recorder((event) => outbox.put(event));

async function start(config: RouterConfig): Promise<() => Promise<void>> {
  const world = makeWorld(config);
  const streams = new StreamServer(world, recorder);
  const datagrams = new DatagramServer(world, recorder);
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

/** The box must not be able to end the recording by what it sends; a failure is counted, and the run is incomplete. */
const unexpected = { count: 0 };
process.on('uncaughtException', (error) => {
  unexpected.count += 1;
  process.stderr.write(`${error.stack}\n`);
});

const started = Promise.withResolvers<() => Promise<void>>();

process.on('message', (message: ToRouter) => {
  if (message.type === 'acknowledge') outbox.acknowledge();
  if (message.type === 'start') start(message.config).then(started.resolve, started.reject);
  if (message.type === 'stop') void started.promise.then((stop) => stop());
});
process.on('disconnect', () => process.exit(0));
started.promise.catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  process.exit(1);
});
send({ type: 'waiting' });
