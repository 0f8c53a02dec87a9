import { asObject, asString, type JsonObject } from '../../../base/json-shape.ts';
import {
  defaultVersion,
  isModernVersion,
  legacyVersions,
  metaKeys,
  modernVersion,
} from '../../../targets/conversation/era.ts';

/** Who the client is and which version it speaks: told once until 2025, in every request since. */
export interface Hello {
  readonly protocolVersion: string;
  readonly isModern: boolean;
  readonly clientInfo: JsonObject;
  readonly capabilities: JsonObject;
}

export const modernKeys = {
  ...metaKeys,
  subscriptionId: 'io.modelcontextprotocol/subscriptionId',
  logLevel: 'io.modelcontextprotocol/logLevel',
} as const;

export function helloOfInitialize(params: JsonObject): Hello {
  const asked = asString(params.protocolVersion) ?? defaultVersion;
  const isKnown = (legacyVersions as readonly string[]).includes(asked);
  return {
    protocolVersion: isKnown ? asked : defaultVersion,
    isModern: false,
    clientInfo: asObject(params.clientInfo),
    capabilities: asObject(params.capabilities),
  };
}

/** Null where the request says nothing of the kind. */
export function helloOfRequest(params: JsonObject): Hello | null {
  const meta = asObject(params._meta);
  const version = asString(meta[modernKeys.protocolVersion]);
  if (version === undefined) return null;
  return {
    protocolVersion: version,
    isModern: isModernVersion(version),
    clientInfo: asObject(meta[modernKeys.clientInfo]),
    capabilities: asObject(meta[modernKeys.clientCapabilities]),
  };
}

export function envelopeOf({ clientInfo, capabilities }: Hello): JsonObject {
  return {
    [modernKeys.protocolVersion]: modernVersion,
    [modernKeys.clientInfo]: { name: 'hotcell', version: '0', ...clientInfo },
    [modernKeys.clientCapabilities]: capabilities,
  };
}

/** The parameters as a server of the other era wants them; a progress token of ours in the place of the client's. */
export function paramsFor(params: JsonObject, isModern: boolean, hello: Hello, token: RequestToken): JsonObject {
  const { _meta, ...rest } = params;
  const meta: Record<string, unknown> = { ...asObject(_meta) };
  for (const key of isModern ? [] : Object.values(modernKeys)) delete meta[key];
  if (isModern) Object.assign(meta, envelopeOf(hello));
  if (meta.progressToken !== undefined) meta.progressToken = token;
  return Object.keys(meta).length === 0 && _meta === undefined ? rest : { ...rest, _meta: meta };
}

export type RequestToken = number;

const cached: readonly string[] = [
  'tools/list',
  'prompts/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'server/discover',
];

/** The result as a client of the other era wants it. */
export function resultFor(method: string, result: JsonObject, isModern: boolean): JsonObject {
  if (!isModern) {
    const { resultType: _type, ...rest } = result;
    return rest;
  }
  const type = asString(result.resultType) ?? 'complete';
  const isCached = type === 'complete' && cached.includes(method);
  return { ...(isCached ? { ttlMs: 0, cacheScope: 'private' } : {}), ...result, resultType: type };
}
