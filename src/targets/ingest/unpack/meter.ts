import type { UnpackLimits } from './contract.ts';
import type { IssueList } from './issue-list.ts';

/** Counts what goes in and what comes out, and stops an archive that is larger than it may be. */
export interface Meter {
  inputBytes: number;
  outputBytes: number;
  entries: number;
  countInput(bytes: number): void;
  /** Every byte that came out of a decompressor, kept or not. */
  countOutput(bytes: number, entry: Uint8Array | string): void;
  countEntry(entry: Uint8Array | string): void;
}

export function createMeter(limits: UnpackLimits, issues: IssueList): Meter {
  const deadline = Date.now() + limits.timeoutMs;
  const meter: Meter = {
    inputBytes: 0,
    outputBytes: 0,
    entries: 0,
    countInput(bytes) {
      meter.inputBytes += bytes;
    },
    countOutput(bytes, entry) {
      meter.outputBytes += bytes;
      if (meter.outputBytes > limits.maxTotalBytes) {
        issues.stop('too-large-total', entry, `more than ${limits.maxTotalBytes} bytes when unpacked`);
      }
      const isLarge = meter.outputBytes > limits.ratioFloorBytes;
      if (isLarge && meter.outputBytes > limits.maxRatio * Math.max(1, meter.inputBytes)) {
        issues.stop('bomb-ratio', entry, `more than ${limits.maxRatio} bytes come out of every byte`);
      }
      if (Date.now() > deadline) issues.stop('too-slow', entry, `not unpacked in ${limits.timeoutMs} ms`);
    },
    countEntry(entry) {
      meter.entries += 1;
      if (meter.entries > limits.maxEntries) {
        issues.stop('too-many-entries', entry, `more than ${limits.maxEntries} entries`);
      }
      if (Date.now() > deadline) issues.stop('too-slow', entry, `not unpacked in ${limits.timeoutMs} ms`);
    },
  };
  return meter;
}
