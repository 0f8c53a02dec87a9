import { z } from 'zod';
import { kibibyte, minuteMs } from '../../../base/limits.ts';
import { defineTool } from '../define-tool.ts';
import { count, moment, serverName, shownText } from './fields.ts';

export const searchedChannels = ['stdout', 'stderr', 'arguments', 'network-egress', 'fs-write'] as const;

export const trackCanary = defineTool({
  name: 'track_canary',
  title: 'Issue a canary, and look where it has turned up',
  description:
    'Gives a token to plant in what one server is told or holds, and says whether it has turned up at another server: in the texts and files that are given here, and in what guards that run have seen on their way. It is looked for in base64, hexadecimal, compressed and other disguises, not only as it is. The same chain, source and pattern always have the same token, so calling it again is how to look again.',
  toolset: 'guard',
  input: z.strictObject({
    chainId: z.string().min(1).max(200).describe('what belongs together, by a name of your choice'),
    sourceServerId: serverName.describe('the server that the token is planted in'),
    downstreamServerIds: z
      .array(serverName)
      .min(1)
      .max(32)
      .describe('servers that are known to stand behind it; leaks elsewhere are told too'),
    canaryPattern: z.string().min(8).max(256).optional().describe('this very text instead of a random token'),
    streams: z
      .array(
        z.strictObject({
          serverId: serverName,
          channel: z.enum(searchedChannels),
          text: z.string().max(64 * kibibyte),
        }),
      )
      .max(32)
      .default([])
      .describe('what servers said or were told, to be looked through'),
    files: z
      .array(z.strictObject({ serverId: serverName, path: z.string().min(1).max(4000) }))
      .max(32)
      .default([])
      .describe('files and folders of servers on this machine, to be looked through'),
  }),
  output: z.strictObject({
    canaryToken: z.string().max(256).describe('what to plant'),
    canaryId: z.string().max(100),
    leakDetected: z.boolean(),
    leakLocations: z
      .array(
        z.strictObject({
          serverId: shownText,
          channel: z.string().max(32),
          name: shownText.describe('untrusted: of a tool, a file or a host'),
          plantedIn: shownText,
          encoding: z.string().max(200),
          isDownstream: z.boolean(),
          count,
          firstAt: moment,
          lastAt: moment,
        }),
      )
      .max(20_000),
    searchedFiles: count,
    unsearchedFiles: count.describe('could not be read, or too large: silence about these proves nothing'),
  }),
  annotations: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
  limits: { timeoutMs: 5 * minuteMs, outputBytes: 512 * kibibyte },
  examples: [
    {
      input: { chainId: 'mail-to-web', sourceServerId: 'mail', downstreamServerIds: ['web'] },
      says: 'a token to plant, and what guards have seen of it',
    },
    {
      input: {
        chainId: 'mail-to-web',
        sourceServerId: 'mail',
        downstreamServerIds: ['web'],
        files: [{ serverId: 'web', path: '/srv/web/cache' }],
      },
      says: 'look through a folder as well',
    },
  ],
  async handle(input, context) {
    const { lookForCanary } = await import('./look-for-canary.ts');
    return lookForCanary(input, context);
  },
});
