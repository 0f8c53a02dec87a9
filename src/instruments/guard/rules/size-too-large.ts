import { mebibyte } from '../../../base/limits.ts';
import type { MessageKind, MessageRule } from '../contract.ts';

/** Smaller than what the stream takes at all, where nothing honest is as large. */
const mostBytes: Readonly<Record<MessageKind, number>> = {
  request: 16 * mebibyte,
  notification: 4 * mebibyte,
  response: 64 * mebibyte,
};

export function sizeTooLarge(): MessageRule {
  return {
    id: 'size/too-large',
    title: 'Message too large',
    methods: ['*'],
    directions: ['to-server', 'to-client'],
    judge({ kind, bytes }) {
      const most = mostBytes[kind];
      if (bytes.length <= most) return { is: 'pass' };
      return {
        is: 'refuse',
        hit: {
          rule: 'size/too-large',
          title: 'Message too large',
          what: `a ${kind} of ${bytes.length} bytes, where ${most} are let through`,
          remedy: 'Ask for less at a time: a page, a range, a single file.',
          details: { bytes: bytes.length, most },
        },
      };
    },
  };
}
