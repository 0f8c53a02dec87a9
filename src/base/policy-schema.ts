import { z } from 'zod';
import { gibibyte, kibibyte, mebibyte, minuteMs } from './limits.ts';
import { type Tier, tiers } from './tiers.ts';

/**
 * A policy: what a target may read, write, execute, connect to, and how much it may use.
 * One schema; everything that enforces is compiled from it.
 */

export { type Tier, tiers };

export const accesses = ['read', 'write', 'execute'] as const;
export const networkModes = ['none', 'fake', 'allowlist'] as const;

const reason = {
  why: z.string().max(2000).optional().describe('why this line is here, for people'),
  seenIn: z.array(z.string().max(200)).max(1000).optional().describe('ids of the evidence that asked for this line'),
};

/** Names of folders that belong to the box itself and not to the host. */
export const boxFolders = ['{home}', '{work}', '{tmp}'] as const;

const path = z
  .string()
  .min(1)
  .max(4095)
  .regex(/^(\/|\{(home|work|tmp)\}(\/|$))[^\0]*$/, 'an absolute path, or one that starts with {home}, {work} or {tmp}')
  .refine((value) => !value.split('/').includes('..'), 'a path without ".." parts')
  .describe('absolute path on the host, or {home}, {work}, {tmp} for the folders of the box itself');

export const fileRuleSchema = z
  .strictObject({ path, access: z.enum(accesses), ...reason })
  .describe('write includes read; execute includes read and loading as code');

export const environmentRuleSchema = z.strictObject({
  name: z
    .string()
    .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'the name of an environment variable')
    .max(200),
  value: z
    .string()
    .max(32 * kibibyte)
    .refine((text) => !text.includes('\0'), 'text without NUL')
    .optional()
    .describe('a fixed value; without it the caller may pass one'),
  ...reason,
});

export const networkRuleSchema = z.strictObject({
  host: z
    .string()
    .min(1)
    .max(255)
    .regex(
      /^(\*|\.?[a-z0-9]([a-z0-9_-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9_-]*[a-z0-9])?)*|[0-9a-f:.]*:[0-9a-f:.]*)$/,
      'a lower-case host name, an address, ".suffix" or "*"',
    ),
  port: z.union([z.number().int().min(1).max(65535), z.literal('*')], 'a port from 1 to 65535 or "*"'),
  ...reason,
});

export const limitsSchema = z.strictObject({
  memoryBytes: z
    .number()
    .int()
    .min(16 * mebibyte)
    .max(1024 * gibibyte)
    .describe('memory of all processes together'),
  processes: z.number().int().min(1).max(65536).describe('processes and threads together'),
  cpuCores: z.number().min(0.05).max(1024).describe('share of cores, 0.5 is half of one'),
  wallMs: z
    .number()
    .int()
    .min(100)
    .max(7 * 24 * 60 * minuteMs)
    .describe('time until everything is ended'),
  outputBytes: z
    .number()
    .int()
    .min(1 * kibibyte)
    .max(1024 * gibibyte)
    .describe('stdout and stderr together'),
  fileBytes: z
    .number()
    .int()
    .min(4 * kibibyte)
    .max(1024 * gibibyte)
    .describe('size of any one file'),
  diskBytes: z
    .number()
    .int()
    .min(64 * kibibyte)
    .max(1024 * gibibyte)
    .describe('everything written to the folders of the box'),
  openFiles: z.number().int().min(16).max(1_048_576).describe('open files of one process'),
});

export const syscallNamePattern = /^[a-z_][a-z0-9_]*(\([a-z0-9-]+\))?$/;

export const syscallRuleSchema = z.strictObject({
  name: z.string().max(64).regex(syscallNamePattern, 'the name of a system call, such as "bpf" or "ioctl(tiocsti)"'),
  ...reason,
});

export const toolRuleSchema = z.strictObject({
  tool: z.string().min(1).max(256),
  verdict: z.enum(['allow', 'deny', 'ask']),
  arguments: z.record(z.string(), z.record(z.string(), z.unknown())).optional().describe('a JSON Schema per argument'),
  ...reason,
});

export const policySchema = z.strictObject({
  version: z.literal(1),
  name: z.string().min(1).max(200),
  tier: z.enum(tiers).optional().describe('the preset it was made from'),
  files: z.array(fileRuleSchema).max(10_000),
  environment: z.array(environmentRuleSchema).max(1000),
  network: z.strictObject({ mode: z.enum(networkModes), rules: z.array(networkRuleSchema).max(10_000) }),
  limits: limitsSchema,
  syscalls: z.strictObject({ deny: z.array(syscallRuleSchema).max(1000) }),
  tools: z.array(toolRuleSchema).max(10_000).optional(),
});

export type Policy = z.infer<typeof policySchema>;
export type FileRule = z.infer<typeof fileRuleSchema>;
export type EnvironmentRule = z.infer<typeof environmentRuleSchema>;
export type NetworkRule = z.infer<typeof networkRuleSchema>;
export type Limits = z.infer<typeof limitsSchema>;
export type SyscallRule = z.infer<typeof syscallRuleSchema>;
export type Access = FileRule['access'];
