import { execFile } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { lookup } from 'node:dns/promises';
import { readFileSync } from 'node:fs';
import { connect, isIPv6 } from 'node:net';
import { connect as connectTls } from 'node:tls';

/**
 * A scanner that ignores what it was told and tries everything else: `node stray-program.mjs tries.json`. It needs
 * nothing but Node (and Perl for what Node cannot open), and says one line of JSON for each try. See stray-scanner.ts.
 */

const { tries, timeoutMs, atOnce } = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const longest = 200;

/** Settles once, by what comes first: bytes, an error, the end, or time. */
function within(begin) {
  return new Promise((resolve) => {
    let isOpen = false;
    let end = () => undefined;
    const settle = (outcome, detail = '') => {
      clearTimeout(timer);
      end();
      resolve({ outcome, detail: String(detail).slice(0, longest) });
    };
    const timer = setTimeout(() => settle(isOpen ? 'connected' : 'silent'), timeoutMs);
    try {
      end = begin({
        opened: () => {
          isOpen = true;
        },
        heard: (bytes) => settle('answered', bytes.toString('latin1')),
        failed: (error) => settle(isOpen ? 'connected' : 'refused', error.code ?? error.message),
        closed: () => settle(isOpen ? 'connected' : 'refused', 'closed'),
        settle,
      });
    } catch (error) {
      settle('refused', error.code ?? error.message);
    }
  });
}

function stream(make, say) {
  return within(({ opened, heard, failed, closed }) => {
    const socket = make(() => {
      opened();
      if (say !== undefined) socket.write(say);
    });
    socket.on('data', heard).on('error', failed).on('close', closed);
    return () => socket.destroy();
  });
}

function question(name) {
  const labels = name.split('.').map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label)]));
  const head = Buffer.from([0x12, 0x34, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0]);
  return Buffer.concat([head, ...labels, Buffer.from([0, 0, 1, 0, 1])]);
}

function datagram({ address, port }, bytes, isBroadcast = false) {
  return within(({ heard, failed, settle }) => {
    const socket = createSocket(isIPv6(address) ? 'udp6' : 'udp4');
    let isClosed = false;
    socket.on('message', heard).on('error', failed);
    socket.bind(0, () => {
      if (isClosed) return;
      if (isBroadcast) socket.setBroadcast(true);
      socket.send(bytes, port, address, (error) => {
        if (error) failed(error);
        else setTimeout(() => settle('sent'), timeoutMs / 2);
      });
    });
    return () => {
      if (!isClosed) socket.close();
      isClosed = true;
    };
  });
}

/** Opens a socket by numbers and sends an echo to the address, if there is one. */
const perl = `
use Socket;
my ($family, $type, $protocol, $address) = @ARGV;
socket(my $socket, $family, $type, $protocol) or do { print "refused " . ($! + 0) . " $!"; exit };
if ($address eq '') { print 'opened'; exit }
my $host = $family == 2 ? pack_sockaddr_in(0, inet_aton($address)) : pack_sockaddr_in6(0, Socket::inet_pton(10, $address));
my $echo = $family == 2 ? pack('CCnnn', 8, 0, 0xf7fd, 1, 1) : pack('CCnnn', 128, 0, 0, 1, 1);
print defined(send($socket, $echo, 0, $host)) ? 'sent' : "refused " . ($! + 0) . " $!";
`;

function socketByNumbers({ family, type, protocol, address = '' }) {
  const argv = ['-e', perl, String(family), String(type), String(protocol), address];
  return new Promise((resolve) => {
    execFile('perl', argv, { timeout: timeoutMs * 4 }, (error, stdout) => {
      const [outcome, ...detail] = stdout.split(' ');
      if (outcome !== '') resolve({ outcome, detail: detail.join(' ').slice(0, longest) });
      else resolve({ outcome: 'unavailable', detail: String(error?.code ?? '') });
    });
  });
}

const kinds = {
  tcp: ({ address, port, say }) => stream((then) => connect({ host: address, port }, then), say),
  tls: ({ address, port, name, say }) =>
    stream((then) => connectTls({ host: address, port, servername: name, rejectUnauthorized: false }, then), say),
  unix: ({ path, say }) => stream((then) => connect({ path: path.replace(/^@/, '\0') }, then), say),
  udp: (one) => datagram(one, Buffer.from(one.say ?? 'hotcell-stray', 'latin1'), one.isBroadcast),
  'dns-udp': (one) => datagram(one, question(one.name)),
  'dns-tcp': ({ address, port, name }) => {
    const asked = question(name);
    const framed = Buffer.concat([Buffer.from([0, asked.length]), asked]);
    return stream((then) => connect({ host: address, port }, then), framed);
  },
  lookup: ({ name }) =>
    within(({ settle, failed }) => {
      lookup(name).then(({ address }) => settle('answered', address), failed);
      return () => undefined;
    }),
  socket: socketByNumbers,
};

async function work(queue) {
  for (let one = queue.shift(); one !== undefined; one = queue.shift()) {
    const { outcome, detail } = await kinds[one.kind](one);
    process.stdout.write(`${JSON.stringify({ id: one.id, kind: one.kind, outcome, detail })}\n`);
  }
}

const queue = [...tries];
await Promise.all(Array.from({ length: atOnce }, () => work(queue)));
process.stdout.write(`${JSON.stringify({ type: 'end', tries: tries.length })}\n`);
process.exit(0);
