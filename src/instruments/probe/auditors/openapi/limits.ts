/** A document is as hostile as its author: every list, depth and hop has an end. */
export const openapiLimits = {
  documentCharacters: 1024 * 1024,
  /** Broken YAML takes its reader ten times as long as JSON. */
  yamlCharacters: 512 * 1024,
  yamlAliases: 100,
  paths: 3000,
  /** Those that are looked at in the live API. */
  operations: 300,
  parameters: 40,
  responses: 40,
  hops: 20,
  schemaDepth: 8,
  schemaParts: 40,
  properties: 300,
  /** Values of an answer that are held against a schema. */
  values: 3000,
  requests: 1800,
  wrongPerOperation: 6,
} as const;
