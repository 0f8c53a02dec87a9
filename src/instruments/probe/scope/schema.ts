import { z } from 'zod';

/** The scope file: what may be touched, how hard, when, and who said so. What words cannot say is checked by inspect. */

export const scopeVersion = 1;

export const weekDays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type WeekDay = (typeof weekDays)[number];

/** What holds where the file says nothing. */
export const scopeDefaults = {
  rate: { requestsPerSecond: 50, connectionsPerSecond: 300 },
  concurrency: { scans: 4, perTarget: 2, connections: 100 },
  timeZone: 'UTC',
} as const;

const noControls = /^[^\p{Cc}\p{Zl}\p{Zp}]*$/u;
const line = (most: number) =>
  z.string().min(1).max(most).regex(noControls, 'text on one line').regex(/\S/, 'text that is not blank');

const count = (most: number) => z.number().int().min(1).max(most);

const instant = z.iso.datetime({ offset: true, error: 'a time with its offset, such as 2026-12-31T18:00:00+01:00' });
const day = z.iso.date();

const portForm = 'a port such as 80, or a range such as "8000-8100"';
const portSchema = z
  .union(
    [
      z.number().int().min(1).max(65_535),
      z
        .string()
        .max(11)
        .regex(/^[1-9]\d{0,4}(-[1-9]\d{0,4})?$/, portForm),
    ],
    { error: portForm },
  )
  .describe('80, or "8000-8100"');

export const windowSchema = z
  .strictObject({
    from: z
      .string()
      .max(5)
      .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'a time of day such as 22:00')
      .describe('HH:MM, when it opens'),
    to: z
      .string()
      .max(5)
      .regex(/^(([01]\d|2[0-3]):[0-5]\d|24:00)$/, 'a time of day such as 06:00')
      .describe('HH:MM, when it closes; earlier than from means on the next day'),
    timeZone: z
      .string()
      .max(64)
      .regex(/^[A-Za-z][A-Za-z0-9_+/-]*$/, 'a time zone such as Europe/Berlin')
      .exactOptional()
      .describe(`IANA name; default: ${scopeDefaults.timeZone}`),
    days: z.array(z.enum(weekDays)).min(1).max(7).exactOptional().describe('days on which it opens; default: all'),
  })
  .describe('time of day in which scans may run, by the clock on the wall there');

export const credentialSchema = z
  .strictObject({
    name: z
      .string()
      .max(64)
      .regex(/^[a-z0-9][a-z0-9_-]*$/, 'a short name in lower case')
      .describe('what a scan asks for it by'),
    header: z
      .string()
      .max(128)
      .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, 'the name of a header')
      .describe('header that carries it, such as Authorization'),
    variable: z
      .string()
      .max(128)
      .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'the name of an environment variable')
      .describe('environment variable that holds the whole value of the header; the value itself never stands here'),
  })
  .describe('a secret that is put into requests');

export const rateSchema = z.strictObject({
  requestsPerSecond: count(10_000).exactOptional().describe(`default: ${scopeDefaults.rate.requestsPerSecond}`),
  connectionsPerSecond: count(100_000).exactOptional().describe(`default: ${scopeDefaults.rate.connectionsPerSecond}`),
});

export const concurrencySchema = z.strictObject({
  scans: count(64).exactOptional().describe(`scans at a time; default: ${scopeDefaults.concurrency.scans}`),
  perTarget: count(64)
    .exactOptional()
    .describe(`scans of one target at a time; default: ${scopeDefaults.concurrency.perTarget}`),
  connections: count(10_000)
    .exactOptional()
    .describe(`open connections of one scan; default: ${scopeDefaults.concurrency.connections}`),
});

export const authorizationSchema = z
  .strictObject({
    by: line(200).describe('who allowed it'),
    reference: line(500).describe('where that is written: a ticket, a contract, a letter'),
    at: z.union([instant, day], { error: 'a date such as 2026-11-15, or a time with its offset' }).exactOptional(),
    statement: z.string().max(8000).exactOptional().describe('what was allowed, in words'),
  })
  .describe('who says that these targets may be scanned');

export const scopeSchema = z.strictObject({
  $schema: z.string().max(500).exactOptional(),
  version: z.literal(scopeVersion).exactOptional(),
  name: line(200).exactOptional().describe('default: the name of the file'),
  targets: z
    .array(z.string().min(1).max(300))
    .min(1)
    .max(1000)
    .describe(
      'literal addresses, ranges such as 10.0.0.0/24, lower-case ASCII host names; special addresses only where named',
    ),
  ports: z.array(portSchema).min(1).max(1000).exactOptional().describe('TCP ports; default: all'),
  urls: z
    .array(z.string().min(1).max(2048))
    .min(1)
    .max(1000)
    .exactOptional()
    .describe('URL prefixes: https://h/v1 covers /v1 and all below /v1/; default: every path of the targets'),
  methods: z
    .array(
      z
        .string()
        .max(32)
        .regex(/^[A-Z][A-Z0-9-]*$/, 'a method in capital letters, such as GET'),
    )
    .min(1)
    .max(50)
    .exactOptional()
    .describe('HTTP methods; default: all'),
  rate: rateSchema.exactOptional().describe('for all scans together'),
  concurrency: concurrencySchema.exactOptional(),
  window: windowSchema.exactOptional(),
  notBefore: instant.exactOptional().describe('no scan before'),
  expires: instant.exactOptional().describe('no scan from then on; those that run are ended'),
  authorization: authorizationSchema,
  credentials: z.array(credentialSchema).min(1).max(50).exactOptional(),
});
export type ScopeDocument = z.infer<typeof scopeSchema>;
export type ScopeWindow = z.infer<typeof windowSchema>;

/** JSON Schema of a scope file. */
export function scopeJsonSchema(): Record<string, unknown> {
  return {
    ...z.toJSONSchema(scopeSchema, { io: 'input', target: 'draft-2020-12' }),
    title: 'Hotcell scope',
    description: 'What scanners may touch, how hard, when, and who allowed it.',
  };
}
