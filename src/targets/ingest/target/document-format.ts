import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { parse as parseJsonc } from 'jsonc-parser';
import { mebibyte } from '../../../base/limits.ts';
import type { FileFormat } from './contract.ts';

const largestDocumentBytes = 32 * mebibyte;
const documentEnding = /\.(json|jsonc|json5|toml|ya?ml)$/i;

export function isDocument(path: string): boolean {
  return documentEnding.test(path);
}

function hasAny(record: object, keys: readonly string[]): boolean {
  return keys.some((key) => Object.hasOwn(record, key));
}

function hasTools(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0 && value.every((item) => isTool(item));
  if (typeof value !== 'object' || value === null) return false;
  if ('tools' in value && Array.isArray(value.tools)) return true;
  return 'result' in value && hasTools(value.result);
}

function isTool(value: unknown): boolean {
  return (
    typeof value === 'object' && value !== null && hasAny(value, ['inputSchema', 'description']) && 'name' in value
  );
}

const configKeys = ['mcpServers', 'mcp_servers', 'servers', 'context_servers', 'mcp', 'projects', 'command', 'url'];
const manifestKeys = ['packages', 'remotes', 'version_detail'];

function shapeOf(value: unknown): FileFormat | undefined {
  if (hasTools(value)) return 'tool-list';
  if (typeof value !== 'object' || value === null) return undefined;
  if ('name' in value && hasAny(value, manifestKeys)) return 'server-manifest';
  const isConfig = hasAny(value, configKeys) || Object.keys(value).some((key) => /^(mcp|amp)\./.test(key));
  return isConfig ? 'client-config' : undefined;
}

/** By its name where the name is fixed, else by its shape. TOML and YAML are formats of client configs only. */
export function formatOfDocument(path: string, sizeBytes: number): FileFormat | undefined {
  const name = basename(path).toLowerCase();
  if (name === 'server.json') return 'server-manifest';
  if (name === 'tools.json') return 'tool-list';
  if (!/\.json[c5]?$/.test(name)) return 'client-config';
  if (name === 'mcp.json' || name === '.mcp.json') return 'client-config';
  if (sizeBytes > largestDocumentBytes) return undefined;
  try {
    return shapeOf(parseJsonc(readFileSync(path, 'utf8'), [], { allowTrailingComma: true }));
  } catch {
    return undefined;
  }
}
