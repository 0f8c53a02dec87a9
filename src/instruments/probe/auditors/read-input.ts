import { asArray, asNumber, asObject, asString, asStrings, isObject } from '../../../base/json-shape.ts';
import type { Credential, JsonValue } from '../contract.ts';
import type { AuditInput } from './contract.ts';

/** What the room was given for the auditor. It is ours, and checked all the same: a wrong one must not send anything. */

const missing = (what: string): Error => new Error(`the input has no ${what}`);

function credentialOf(value: unknown): Credential | null {
  if (value === null || value === undefined) return null;
  const given = asObject(value);
  const name = asString(given.name);
  const header = asString(given.header);
  const secret = asString(given.value);
  if (name === undefined || header === undefined || secret === undefined) throw missing('whole credential');
  return { name, header, value: secret };
}

function portsOf(value: unknown): AuditInput['ports'] {
  return asArray(value).map((item) => {
    const from = asNumber(asObject(item).from);
    const to = asNumber(asObject(item).to);
    if (from === undefined || to === undefined || from < 1 || to > 65_535 || from > to) throw missing('proper ports');
    return { from, to };
  });
}

/** Throws an error in words of ours. */
export function parseAuditInput(text: string): AuditInput {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Error('the input is not JSON');
  }
  if (!isObject(value)) throw new Error('the input is not an object');
  const url = asString(value.url);
  const host = asString(value.host);
  const addresses = asStrings(value.addresses);
  const pace = asObject(value.pace);
  const requestsPerSecond = asNumber(pace.requestsPerSecond);
  const connections = asNumber(pace.connections);
  const limits = asObject(value.limits);
  if (url === undefined || !URL.canParse(url)) throw missing('URL');
  if (host === undefined || host === '') throw missing('host');
  if (addresses.length === 0) throw missing('address');
  if (requestsPerSecond === undefined || requestsPerSecond <= 0 || connections === undefined || connections < 1) {
    throw missing('pace');
  }
  // An absent list would read as "everything is allowed".
  if (!Array.isArray(limits.urls) || !Array.isArray(limits.methods)) throw missing('limits');
  return {
    arguments: asObject(value.arguments) as Readonly<Record<string, JsonValue>>,
    url,
    host,
    addresses,
    ports: portsOf(value.ports),
    limits: { urls: asStrings(limits.urls), methods: asStrings(limits.methods) },
    pace: { requestsPerSecond, connections },
    credential: credentialOf(value.credential),
  };
}
