import { z } from 'zod';
import type { Finding } from '../../base/finding-schema.ts';
import type { BackendId } from '../../engine/box/contract.ts';

/**
 * The words of probe. A scanner is one file that exports one definition: closed arguments, an aim inside the scope, a
 * command without a shell, and a reader of what comes out. It runs in a room, which is the network layer of the scope.
 */

export const scannerNames = [
  'nmap_scan',
  'ffuf_discover',
  'arjun_params',
  'nuclei_scan',
  'http_probe',
  'openapi_audit',
  'tls_audit',
  'graphql_audit',
  'jwt_audit',
  'mcp_probe',
] as const;
export type ScannerName = (typeof scannerNames)[number];

export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue | undefined };

/** One thing that a scanner says, as its own format has it: fields in snake_case, every text bounded. */
export type ScanFinding = Readonly<Record<string, JsonValue>>;

export interface PortRange {
  readonly from: number;
  readonly to: number;
}

/** Where one scan goes: narrower than the scope, checked against it, spelled in one way. */
export interface Aim {
  /** As it is shown and queued: `192.0.2.7`, `https://api.example.com/v1/FUZZ`. */
  readonly label: string;
  /** Host as it was written: a name of the scope or a literal address. */
  readonly host: string;
  /** Literal addresses, all of the scope: the address itself, or those that the name was pinned to. */
  readonly addresses: readonly string[];
  readonly ports: readonly PortRange[];
  /** Of scanners that are given a URL: canonical, without userinfo and fragment. */
  readonly url?: string;
}

/** A program that has to be there. Null for those that Hotcell brings. */
export interface NeededProgram {
  readonly name: string;
  /** Debian package, or where else it comes from, for the error that tells that it is missing. */
  readonly package: string;
}

/** A file that is put into the work folder of the room before the start. */
export interface RoomFile {
  /** A plain name, without folders. */
  readonly name: string;
  readonly content: Uint8Array;
}

/** Paths as the scanner sees them. */
export interface RoomPaths {
  /** Work folder; relative names in argv are relative to it. */
  readonly work: string;
  /** What starts a program of Hotcell's own: node, and the file that runs auditors. */
  readonly auditors: readonly string[];
}

/** How fast, for programs that can be told; the network layer keeps it in any case. */
export interface Pace {
  readonly requestsPerSecond: number;
  readonly connectionsPerSecond: number;
  readonly connections: number;
}

export interface ScanCommand {
  /** The program is the first; never a shell. */
  readonly argv: readonly string[];
  readonly files: readonly RoomFile[];
  readonly environment: Readonly<Record<string, string>>;
  /** Plain name of a file in the work folder that the program writes; read at the end, also after a time-out. */
  readonly outputFile?: string;
}

/** What a scanner left, whole or not. Any of it may be garbage. */
export interface ScanOutput {
  readonly stdout: Buffer;
  readonly stderr: Buffer;
  /** Null where there is none. */
  readonly outputFile: Buffer | null;
  readonly exitCode: number | null;
  /** False after a time-out or a cancel. */
  readonly isWhole: boolean;
}

export interface Parsed {
  readonly findings: readonly ScanFinding[];
  /** What could not be read, in words of ours. */
  readonly notes: readonly string[];
}

/** Values that are brought along for a scan and are not arguments. */
export interface CommandMeans {
  readonly aim: Aim;
  readonly pace: Pace;
  readonly paths: RoomPaths;
  /** What the scope allows; an auditor keeps to it in its own client. */
  readonly limits: RequestLimits;
  /** For auditors. Programs of others never see it: the room puts it into their requests. */
  readonly credential: Credential | null;
}

export interface RequestLimits {
  /** Canonical URL prefixes; empty means every path of the targets. */
  readonly urls: readonly string[];
  /** Empty means every method. */
  readonly methods: readonly string[];
}

export interface Credential {
  readonly name: string;
  readonly header: string;
  readonly value: string;
}

/** What the argument layer gives a scanner to aim with; every function throws a UsageError that names the reason. */
export interface AimMeans {
  /** A literal address or a name of the scope. */
  readonly target: (text: string) => Pick<Aim, 'host' | 'addresses'>;
  /** `80`, `80,443`, `8000-8100`, in order, without doubles; every one in the scope. */
  readonly ports: (text: string) => readonly PortRange[];
  /** What of these ports the scope has, and the first of its own where it has none of them: the default of a port scan. */
  readonly portsWithin: (text: string) => readonly PortRange[];
  /** http or https, host and port in the scope, below a prefix of the scope. `marker` is a word that must stand in path or query. */
  readonly url: (text: string, options?: { readonly marker?: string }) => Aim;
  readonly method: (text: string) => string;
  /** Whether the scope limits paths or methods; what cannot keep to that has to refuse. */
  readonly limits: RequestLimits;
}

export interface ScannerDefinition<Input extends z.ZodObject = z.ZodObject> {
  readonly name: ScannerName;
  /** After `hotcell probe`: `nmap`. */
  readonly command: string;
  readonly title: string;
  readonly description: string;
  /** The argument that a command line gives without a flag. */
  readonly positional: string;
  /** Every text has a pattern, a list or a length. */
  readonly input: Input;
  readonly needs: NeededProgram | null;
  /** What else is missing on this machine, in words; null when nothing is. */
  readonly obstacle?: () => string | null;
  /** Boxes of this kind are taken only where there are no others. */
  readonly avoids?: BackendId;
  /** Whether its requests are looked at by the room (programs of others that speak HTTP). */
  readonly screened: boolean;
  readonly timeoutMs: number;
  readonly examples: readonly { readonly input: z.input<Input>; readonly says: string }[];
  aim(input: z.output<Input>, means: AimMeans): Aim;
  build(input: z.output<Input>, means: CommandMeans): ScanCommand;
  /** Never throws, whatever it is given. A reader that takes time to load is loaded then. */
  parse(output: ScanOutput, aim: Aim): Parsed | Promise<Parsed>;
  /** The same as findings of Hotcell; what is no weakness (an open port that was expected) is `info`. */
  judge(findings: readonly ScanFinding[], aim: Aim, again: Again): readonly Finding[];
}

/** The command line that shows it again, with the arguments of the scan and these changes to them. */
export type Again = (changes?: Readonly<Record<string, string>>) => string;

export function defineScanner<Input extends z.ZodObject>(definition: ScannerDefinition<Input>): ScannerDefinition {
  return definition as unknown as ScannerDefinition;
}

export const scanStatuses = ['completed', 'timed_out', 'cancelled', 'error'] as const;
export type ScanStatus = (typeof scanStatuses)[number];

const text = (most: number) => z.string().max(most);
const count = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);

export const refusedSchema = z.strictObject({
  to: text(600).describe('address and port, or the request'),
  because: text(600),
  count: z.number().int().min(1).max(Number.MAX_SAFE_INTEGER),
});

export const scanResultSchema = z.strictObject({
  id: z
    .string()
    .regex(/^[a-z0-9-]{1,64}$/)
    .max(64),
  tool: z.enum(scannerNames),
  target: text(4096),
  command: z.array(text(8192)).max(256).describe('argv; a credential is never in it'),
  status: z.enum(scanStatuses),
  exit_code: z.number().int().min(-1).max(0xffff_ffff).nullable(),
  findings: z.array(z.record(text(64), z.unknown())).max(5000),
  notes: z.array(text(1024)).max(200).describe('what could not be read, was cut, or went wrong'),
  raw: text(40_000).describe('untrusted: the beginning of what the program wrote'),
  raw_file: text(4096).nullable().describe('all of it'),
  scope: z.strictObject({
    name: text(200),
    fingerprint: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .max(64),
  }),
  network: z.strictObject({
    by: z.enum(['gate', 'outside']).describe('gate: only the aim is let through; outside: the host has to see to it'),
    connections: count.nullable(),
    requests: count.nullable(),
    refused: z.array(refusedSchema).max(200).describe('what it tried beyond its aim, and did not reach'),
    capture: text(4096).nullable(),
    is_complete: z.boolean(),
  }),
  started: z.iso.datetime().max(40),
  elapsed_ms: count,
});
export type ScanResult = z.infer<typeof scanResultSchema>;
