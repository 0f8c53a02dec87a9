import { asObject, asString, asStrings, type JsonObject } from '../../../base/json-shape.ts';
import { defaultVersion, modernVersion } from '../../../targets/conversation/era.ts';
import { envelopeOf, type Hello, modernKeys } from './hello.ts';
import type { GatewayLimits } from './limits.ts';
import type { Reply } from './rpc.ts';
import type { AskOptions } from './server-link.ts';

/** How a server and the gateway agree on a version: the client's era first, for nothing has to be translated then. */

export interface Agreement {
  readonly protocolVersion: string;
  readonly isModern: boolean;
  readonly capabilities: JsonObject;
  readonly instructions: string;
}

export interface Greeted {
  ask(method: string, params: JsonObject, options: AskOptions): Promise<Reply>;
  notify(method: string, params?: JsonObject): void;
}

function instructionsIn(result: JsonObject, { instructionsCharacters }: GatewayLimits): string {
  return (asString(result.instructions) ?? '').slice(0, instructionsCharacters);
}

async function discover(server: Greeted, hello: Hello, limits: GatewayLimits): Promise<Agreement | null> {
  const reply = await server.ask('server/discover', { _meta: envelopeOf(hello) }, { timeoutMs: limits.discoverMs });
  if (reply.is !== 'result' || !asStrings(reply.result.supportedVersions).includes(modernVersion)) return null;
  const capabilities = asObject(reply.result.capabilities);
  return {
    protocolVersion: modernVersion,
    isModern: true,
    capabilities,
    instructions: instructionsIn(reply.result, limits),
  };
}

async function initialize(server: Greeted, hello: Hello, limits: GatewayLimits): Promise<Agreement | string> {
  const protocolVersion = hello.isModern ? defaultVersion : hello.protocolVersion;
  const clientInfo = { name: 'hotcell', version: '0', ...hello.clientInfo };
  const params = { protocolVersion, capabilities: hello.capabilities, clientInfo };
  const reply = await server.ask('initialize', params, { timeoutMs: limits.handshakeMs });
  if (reply.is === 'none') return reply.because;
  if (reply.is === 'error') return `it refused the handshake: ${asString(reply.error.message) ?? 'without a reason'}`;
  server.notify('notifications/initialized');
  return {
    protocolVersion: asString(reply.result.protocolVersion)?.slice(0, 40) ?? protocolVersion,
    isModern: false,
    capabilities: asObject(reply.result.capabilities),
    instructions: instructionsIn(reply.result, limits),
  };
}

/** The agreement, or why there is none. */
export async function shakeHands(server: Greeted, hello: Hello, limits: GatewayLimits): Promise<Agreement | string> {
  if (hello.isModern) return (await discover(server, hello, limits)) ?? (await initialize(server, hello, limits));
  const older = await initialize(server, hello, limits);
  if (typeof older !== 'string') return older;
  return (await discover(server, hello, limits)) ?? older;
}

export function serverInfoMeta(identity: { readonly name: string; readonly version: string }): JsonObject {
  return { [modernKeys.serverInfo]: identity };
}
