import { UsageError } from '../../../base/errors.ts';
import { findNearest } from '../../../engine/policy/nearest.ts';
import type { Caller } from '../../settings/index.ts';
import type { Toolset, ToolsetId } from '../../tools/contract.ts';

/** The options of `hotcell mcp` as they come, and what they mean. */

export interface McpOptions {
  readonly tools?: string | undefined;
  readonly transport?: string | undefined;
  readonly httpHost?: string | undefined;
  readonly httpPort?: string | undefined;
  readonly httpToken?: string | undefined;
  readonly httpAllowHost: readonly string[];
  readonly insecureNoAuth: boolean;
  readonly tlsCert?: string | undefined;
  readonly tlsKey?: string | undefined;
  readonly readOnly: boolean;
  readonly allowTool: readonly string[];
  readonly denyTool: readonly string[];
  readonly printConfig?: string | undefined;
}

export interface HttpOptions {
  readonly host: string;
  readonly port: number;
  readonly token: string | null;
  readonly isOpenToAll: boolean;
  readonly hostNames: readonly string[];
  readonly tlsFiles: { readonly cert: string; readonly key: string } | null;
}

export const printedClients = ['claude-code', 'claude-desktop', 'cursor', 'vscode'] as const;
export type PrintedClient = (typeof printedClients)[number];

export interface McpWishes {
  readonly toolsetIds: readonly ToolsetId[];
  /** Null: stdio. */
  readonly http: HttpOptions | null;
  readonly isReadOnly: boolean;
  readonly allow: readonly string[];
  readonly deny: readonly string[];
  readonly printFor: PrintedClient | null;
}

const toolsetIds: readonly ToolsetId[] = ['analyze', 'guard', 'lab', 'probe'];

function choose<Choice extends string>(flag: string, given: string, known: readonly Choice[]): Choice {
  const found = known.find((choice) => choice === given);
  if (found !== undefined) return found;
  const nearest = findNearest(given, known);
  throw new UsageError(`${flag}: expected one of ${known.join(', ')}, not ${JSON.stringify(given.slice(0, 100))}`, {
    ...(nearest === null ? {} : { hint: `did you mean ${nearest}?` }),
  });
}

function readPort(given: string | undefined): number {
  if (given === undefined) return 3000;
  const port = /^\d{1,5}$/.test(given) ? Number(given) : Number.NaN;
  if (port <= 65_535) return port;
  throw new UsageError(`--http-port: expected a number from 0 to 65535, not ${JSON.stringify(given.slice(0, 100))}`);
}

/** Printable and without blanks, as a header can carry it. The token itself is never part of a message. */
function readToken(given: string | undefined, where: string): string | null {
  if (given === undefined) return null;
  if (/^[\x21-\x7e]{1,1024}$/.test(given)) return given;
  throw new UsageError(`${where}: a token is 1 to 1024 printable characters without blanks`);
}

function refuseForStdio(options: McpOptions): void {
  const given: readonly (readonly [string, boolean])[] = [
    ['--http-host', options.httpHost !== undefined],
    ['--http-port', options.httpPort !== undefined],
    ['--http-token', options.httpToken !== undefined],
    ['--http-allow-host', options.httpAllowHost.length > 0],
    ['--insecure-no-auth', options.insecureNoAuth],
    ['--tls-cert', options.tlsCert !== undefined],
    ['--tls-key', options.tlsKey !== undefined],
  ];
  const found = given.find(([, isGiven]) => isGiven);
  if (found !== undefined) throw new UsageError(`${found[0]} is for HTTP`, { hint: 'add --transport http' });
}

function readHttp(options: McpOptions, environment: Caller['environment']): HttpOptions {
  const { tlsCert: cert, tlsKey: key, insecureNoAuth: isOpenToAll } = options;
  if ((cert === undefined) !== (key === undefined)) throw new UsageError('--tls-cert and --tls-key go together');
  const fromEnvironment = environment.MCP_TOKEN === '' ? undefined : environment.MCP_TOKEN;
  const token = readToken(options.httpToken, '--http-token') ?? readToken(fromEnvironment, 'MCP_TOKEN');
  if (isOpenToAll && token !== null) {
    throw new UsageError('--insecure-no-auth and a token contradict each other', { hint: 'leave out one of them' });
  }
  return {
    host: options.httpHost ?? '127.0.0.1',
    port: readPort(options.httpPort),
    token,
    isOpenToAll,
    hostNames: options.httpAllowHost,
    tlsFiles: cert === undefined || key === undefined ? null : { cert, key },
  };
}

/** @throws UsageError */
export function readMcpOptions(options: McpOptions, environment: Caller['environment']): McpWishes {
  const transport = choose('--transport', options.transport ?? 'stdio', ['stdio', 'http']);
  if (transport === 'stdio') refuseForStdio(options);
  const names = (options.tools ?? 'analyze').split(',').map((name) => name.trim());
  return {
    toolsetIds: [...new Set(names.map((name) => choose('--tools', name, toolsetIds)))],
    http: transport === 'http' ? readHttp(options, environment) : null,
    isReadOnly: options.readOnly,
    allow: options.allowTool,
    deny: options.denyTool,
    printFor: options.printConfig === undefined ? null : choose('--print-config', options.printConfig, printedClients),
  };
}

/** @throws UsageError for one that this version does not have. */
export function pickToolsets(
  ids: readonly ToolsetId[],
  available: Readonly<Partial<Record<ToolsetId, Toolset>>>,
): readonly Toolset[] {
  return ids.map((id) => {
    const found = available[id];
    if (found !== undefined) return found;
    throw new UsageError(`--tools ${id}: this version does not have it yet`, {
      hint: `there is ${Object.keys(available).join(', ')}`,
    });
  });
}
