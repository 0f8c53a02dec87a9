import { keepBytes } from '../event.ts';
import type { DatagramListener } from '../listener.ts';

/** Seconds between 1900, where NTP begins, and 1970. */
const epochSeconds = 2_208_988_800;
const packetBytes = 48;

/** An NTP timestamp: seconds(4) and fraction(4). */
function writeTime(into: Buffer, at: number, wallMs: number): void {
  into.writeUInt32BE(Math.floor(wallMs / 1000) + epochSeconds, at);
  into.writeUInt32BE(Math.floor(((wallMs % 1000) / 1000) * 0x1_0000_0000), at + 4);
}

/** The right time, so that nothing else goes wrong in the box for want of it. */
export const timeDatagrams: DatagramListener = {
  id: 'ntp',
  title: 'NTP: tells the time',
  recognises: (bytes, port) => port === 123 && bytes.length >= packetBytes && ((bytes[0] ?? 0) & 7) === 3,
  async serve({ bytes, world, record }) {
    await record('raw-bytes', {
      fields: { direction: 'from-box', protocol: 'ntp' },
      bytes: keepBytes(bytes, world.config.caps.keptBytes),
    });
    const answer = Buffer.alloc(packetBytes);
    const version = (bytes[0] ?? 0) & 0x38;
    // A server (mode 4) of stratum 2 with the precision of a millisecond.
    answer.set([version | 4, 2, 6, 0xf6], 0);
    bytes.copy(answer, 24, 40, 48);
    const now = Date.now();
    for (const at of [16, 32, 40]) writeTime(answer, at, now);
    return answer;
  },
};
