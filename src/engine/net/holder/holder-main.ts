import { dropRights } from './drop-rights.ts';
import { queueNumber, resetMark } from './layout.ts';
import type { FromHolder, HeldPacket, ToHolder } from './messages.ts';
import { readReports, verdictMessage } from './queue-messages.ts';
import { QueueSocket } from './queue-socket.ts';

/**
 * The holder process. It takes over the packet queue of the router's namespace, gives up its rights but the one to give
 * verdicts, and tells its parent of every handshake. When it ends, for whatever reason, the kernel drops what is held.
 */

/** Addresses and ports stand in the first bytes, whatever options come before. */
const copiedBytes = 256;
const longest = 16_384;
const mostAtOnce = 512;
/** Also how long its end may take. */
const waitMs = 250;

const say = (message: FromHolder): void => void process.send?.(message);

const socket = new QueueSocket({ queue: queueNumber, copiedBytes, longest });
dropRights();

process.on('disconnect', () => process.exit(0));
process.on('message', (message: ToHolder) => {
  for (const [id, verdict] of message.verdicts) {
    socket.send(verdictMessage(queueNumber, id, verdict, resetMark));
  }
});
say({ type: 'ready' });

function readSome(): readonly HeldPacket[] {
  const packets: HeldPacket[] = [];
  for (let count = 0; count < mostAtOnce; count += 1) {
    const bytes = socket.receive();
    if (bytes === null) break;
    for (const report of readReports(bytes)) {
      if (report.is === 'packet') packets.push(report.packet);
      if (report.is === 'unreadable') socket.send(verdictMessage(queueNumber, report.id, 'drop', resetMark));
    }
  }
  return packets;
}

let told = 0;
for (;;) {
  await socket.wait(waitMs);
  const packets = readSome();
  if (packets.length === 0 && socket.lost === told) continue;
  told = socket.lost;
  say({ type: 'packets', packets, lost: told });
}
