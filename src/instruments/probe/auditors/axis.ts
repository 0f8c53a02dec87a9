import type { Axis, Severity } from '../../../base/finding-schema.ts';

/** Rules that say what can be seen or reached, and not that something is built wrongly. */
const exposures: ReadonlySet<string> = new Set([
  'http/version-disclosure',
  'http/methods-offered',
  'http/directory-listing',
  'http/stack-trace',
  'jwt/sensitive-claims',
  'openapi/undocumented-endpoint',
  'openapi/undocumented-method',
  'openapi/excess-data',
  'openapi/secret-in-document',
  'graphql/introspection',
  'graphql/suggestions',
  'graphql/playground',
  'graphql/tracing',
  'graphql/stack-trace',
  'mcp/stack-trace',
]);

export function axisOf(rule: string, severity: Severity): Axis {
  return severity === 'info' || exposures.has(rule) ? 'exposure' : 'weakness';
}
