import { gibibyte, mebibyte, minuteMs } from '../../base/limits.ts';
import type { Limits, NetworkRule, Policy, Tier } from '../../base/policy-schema.ts';
import { commonDenials, strictDenials } from './syscalls/deny.ts';
import { commonEnvironment, criticalEnvironment, highEnvironment, mediumEnvironment } from './tier-environment.ts';
import { commonFiles, criticalFiles, highFiles } from './tier-files.ts';

/** How much a target is trusted: LOW is a stranger, CRITICAL is software that one would run without a box. */

/** disk is memory too (the folders of a box are kept there), so it is never more than half of it. */
const limits: Readonly<Record<Tier, Limits>> = {
  LOW: {
    memoryBytes: 256 * mebibyte,
    processes: 32,
    cpuCores: 0.5,
    wallMs: 5 * minuteMs,
    outputBytes: 64 * mebibyte,
    fileBytes: 64 * mebibyte,
    diskBytes: 128 * mebibyte,
    openFiles: 1024,
  },
  MEDIUM: {
    memoryBytes: 512 * mebibyte,
    processes: 64,
    cpuCores: 1,
    wallMs: 15 * minuteMs,
    outputBytes: 128 * mebibyte,
    fileBytes: 256 * mebibyte,
    diskBytes: 256 * mebibyte,
    openFiles: 2048,
  },
  HIGH: {
    memoryBytes: 1 * gibibyte,
    processes: 128,
    cpuCores: 2,
    wallMs: 60 * minuteMs,
    outputBytes: 256 * mebibyte,
    fileBytes: 512 * mebibyte,
    diskBytes: 512 * mebibyte,
    openFiles: 4096,
  },
  CRITICAL: {
    memoryBytes: 2 * gibibyte,
    processes: 256,
    cpuCores: 4,
    wallMs: 24 * 60 * minuteMs,
    outputBytes: 1 * gibibyte,
    fileBytes: 1 * gibibyte,
    diskBytes: 1 * gibibyte,
    openFiles: 8192,
  },
};

const namedApis: readonly NetworkRule[] = [
  { host: 'api.anthropic.com', port: 443, why: 'models of Anthropic' },
  { host: 'api.openai.com', port: 443, why: 'models of OpenAI' },
  { host: 'api.github.com', port: 443, why: 'repositories and issues' },
];

const everydayPorts: readonly NetworkRule[] = [
  { host: '*', port: 443, why: 'HTTPS to anybody' },
  { host: '*', port: 80, why: 'HTTP to anybody' },
  { host: '*', port: 8080, why: 'HTTP on its second usual port' },
  { host: '*', port: 8443, why: 'HTTPS on its second usual port' },
  { host: '*', port: 22, why: 'git over SSH' },
];

const everything: readonly NetworkRule[] = [{ host: '*', port: '*', why: 'a fully trusted target is not restricted' }];

const network: Readonly<Record<Tier, { mode: Policy['network']['mode']; rules: readonly NetworkRule[] }>> = {
  LOW: { mode: 'none', rules: [] },
  MEDIUM: { mode: 'allowlist', rules: namedApis },
  HIGH: { mode: 'allowlist', rules: everydayPorts },
  CRITICAL: { mode: 'allowlist', rules: everything },
};

const environment = {
  LOW: commonEnvironment,
  MEDIUM: [...commonEnvironment, ...mediumEnvironment],
  HIGH: [...commonEnvironment, ...mediumEnvironment, ...highEnvironment],
  CRITICAL: [...commonEnvironment, ...mediumEnvironment, ...highEnvironment, ...criticalEnvironment],
} as const;

const files = {
  LOW: commonFiles,
  MEDIUM: commonFiles,
  HIGH: [...commonFiles, ...highFiles],
  CRITICAL: [...commonFiles, ...highFiles, ...criticalFiles],
} as const;

const denials = { LOW: strictDenials, MEDIUM: strictDenials, HIGH: commonDenials, CRITICAL: commonDenials } as const;

/** The preset of a tier: a copy of its own for every caller. */
export function tierPolicy(tier: Tier): Policy {
  return structuredClone({
    version: 1,
    name: tier,
    tier,
    files: [...files[tier]],
    environment: [...environment[tier]],
    network: { mode: network[tier].mode, rules: [...network[tier].rules] },
    limits: limits[tier],
    syscalls: { deny: [...denials[tier]] },
  });
}
