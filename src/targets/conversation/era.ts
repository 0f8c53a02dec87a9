import { clientCapabilities } from './client-side.ts';
import type { ClientIdentity } from './contract.ts';

/**
 * Two eras of the protocol: until 2025 a session begins with `initialize`; since 2026 there is none, and every request
 * says who asks and in which version.
 */

export const modernVersion = '2026-07-28';
export const legacyVersions = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07'] as const;
export const defaultVersion: string = legacyVersions[0];

export interface Era {
  readonly protocolVersion: string;
  readonly isModern: boolean;
}

export const metaKeys = {
  protocolVersion: 'io.modelcontextprotocol/protocolVersion',
  clientInfo: 'io.modelcontextprotocol/clientInfo',
  clientCapabilities: 'io.modelcontextprotocol/clientCapabilities',
  serverInfo: 'io.modelcontextprotocol/serverInfo',
} as const;

export function isModernVersion(version: string): boolean {
  return version >= '2026';
}

type Params = Readonly<Record<string, unknown>>;

export function withEnvelope(params: Params, { protocolVersion, isModern }: Era, identity: ClientIdentity): Params {
  if (!isModern) return params;
  const { name, version } = identity;
  return {
    ...params,
    _meta: {
      [metaKeys.protocolVersion]: protocolVersion,
      [metaKeys.clientInfo]: { name, version },
      [metaKeys.clientCapabilities]: clientCapabilities,
    },
  };
}
