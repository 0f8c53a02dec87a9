import { z } from 'zod';
import { minuteMs } from '../../../base/limits.ts';
import type { AuditInput } from '../auditors/contract.ts';
import { judgeAudit, parseAuditLines } from '../auditors/read-lines.ts';
import type { CommandMeans, JsonValue, ScanCommand } from '../contract.ts';

/** What the scanners that Hotcell brings have in common: their programs are auditors. */

export const urlField = z
  .string()
  .max(2048)
  .regex(/^https?:\/\/[!-~]{1,2040}$/)
  .describe('http or https URL inside the scope');

export const credentialField = z
  .string()
  .max(64)
  .regex(/^[a-z0-9][a-z0-9_-]{0,63}$/)
  .optional()
  .describe('name of a credential of the scope');

/** The client of an auditor keeps to the scope by itself, so nobody has to open its requests. */
export const ownScanner = {
  needs: null,
  screened: false,
  timeoutMs: 10 * minuteMs,
  parse: parseAuditLines,
  judge: judgeAudit,
} as const;

export const inputFile = 'input.json';

/** Arguments that are set, without the name of the credential: the auditor is given the credential itself. */
function argumentsOf(input: Readonly<Record<string, unknown>>): Readonly<Record<string, JsonValue>> {
  const given = Object.entries(input).filter(([name, value]) => name !== 'credential' && value !== undefined);
  return Object.fromEntries(given) as Readonly<Record<string, JsonValue>>;
}

function hostInUrl(host: string): string {
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
}

/** `name` is the auditor's. */
export function buildOwn(name: string, input: Readonly<Record<string, unknown>>, means: CommandMeans): ScanCommand {
  const { aim, limits, pace, credential, paths } = means;
  const port = aim.ports[0]?.from ?? 443;
  const content: AuditInput = {
    arguments: argumentsOf(input),
    url: aim.url ?? `https://${hostInUrl(aim.host)}:${port}/`,
    host: aim.host,
    addresses: aim.addresses,
    ports: aim.ports,
    limits,
    pace,
    credential,
  };
  return {
    argv: [...paths.auditors, name, inputFile],
    files: [{ name: inputFile, content: Buffer.from(JSON.stringify(content), 'utf8') }],
    environment: {},
  };
}
