import { Parser } from 'htmlparser2';
import type { Parsed, ScanFinding, ScanOutput } from '../contract.ts';
import { beginningOf, boundedNumber, boundedText, type Gathering, gather, parserLimits } from './bounds.ts';
import { linesOf } from './lines.ts';

/**
 * nmap writes a host only when it is done with it. Its XML is read as a stream, so that a document that was cut gives what
 * it has; ports that it had discovered and not yet written come from the lines that it prints meanwhile.
 */

type Attributes = Readonly<Record<string, string | undefined>>;

const openStates = new Set(['open', 'open|filtered']);
const otherStates = new Set(['closed', 'filtered', 'unfiltered', 'closed|filtered']);
const protocols = new Set(['tcp', 'udp', 'sctp']);
const chunkCharacters = 64 * 1024;
const mostCpes = 8;

interface OpenPort {
  readonly port: number;
  readonly protocol: string;
  state: string;
  service: Attributes;
  readonly cpes: string[];
}

interface Reading {
  host: string | null;
  port: OpenPort | null;
  isInCpe: boolean;
  depth: number;
  isFinished: boolean;
  readonly counts: Map<string, number>;
  readonly known: Set<string>;
  readonly gathering: Gathering;
}

function keyOf(host: string | null, protocol: string, port: number): string {
  return `${host} ${protocol} ${port}`;
}

function count(reading: Reading, state: string, more: number): void {
  if (otherStates.has(state)) reading.counts.set(state, (reading.counts.get(state) ?? 0) + more);
  else reading.gathering.broken('ports in a state that nmap does not have');
}

function findingOf(host: string | null, { port, protocol, state, service, cpes }: OpenPort): ScanFinding {
  return {
    host,
    port,
    protocol,
    state,
    service: boundedText(service.name),
    product: boundedText(service.product),
    version: boundedText(service.version),
    extra_info: boundedText(service.extrainfo),
    tunnel: boundedText(service.tunnel),
    cpe: cpes,
    /** False where nmap only knows what is usual at this port. */
    is_detected: service.method === 'probed',
  };
}

function closePort(reading: Reading): void {
  const { port, host, gathering, known } = reading;
  reading.port = null;
  if (port === null || port.state === '') return;
  if (!openStates.has(port.state)) {
    count(reading, port.state, 1);
    return;
  }
  const key = keyOf(host, port.protocol, port.port);
  if (known.has(key)) return;
  if (gathering.add(findingOf(host, port))) known.add(key);
}

const elements: Readonly<Record<string, (reading: Reading, attributes: Attributes) => void>> = {
  host(reading, { timedout }) {
    reading.host = null;
    if (timedout === 'true') reading.gathering.note('nmap gave up on the host for want of time');
  },
  address(reading, { addr, addrtype }) {
    if (addrtype === 'ipv4' || addrtype === 'ipv6') reading.host = boundedText(addr, 64);
  },
  port(reading, { portid, protocol }) {
    closePort(reading);
    const port = boundedNumber(portid, 65_535);
    if (port === null || port === 0 || !protocols.has(protocol ?? '')) {
      reading.gathering.broken('ports without a number or a protocol');
      return;
    }
    reading.port = { port, protocol: protocol ?? '', state: '', service: {}, cpes: [] };
  },
  state(reading, { state }) {
    if (reading.port !== null) reading.port.state = state?.slice(0, 32) ?? '';
  },
  service(reading, attributes) {
    if (reading.port !== null) reading.port.service = attributes;
  },
  cpe(reading) {
    reading.isInCpe = true;
  },
  extraports(reading, { state, count: number }) {
    count(reading, state?.slice(0, 32) ?? '', boundedNumber(number, 65_535) ?? 0);
  },
  finished(reading, { exit, errormsg }) {
    reading.isFinished = true;
    if (exit !== undefined && exit !== 'success') {
      reading.gathering.note(`nmap ended with an error: ${boundedText(errormsg) ?? 'it does not say which'}`);
    }
  },
};

function readXml(reading: Reading, xml: string): void {
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        reading.depth += 1;
        if (Object.hasOwn(elements, name)) elements[name]?.(reading, attributes);
      },
      ontext(text) {
        const { port, isInCpe } = reading;
        const cpe = isInCpe ? boundedText(text, 200) : null;
        if (port !== null && cpe !== null && port.cpes.length < mostCpes) port.cpes.push(cpe);
      },
      onclosetag(name) {
        reading.depth -= 1;
        if (name === 'cpe') reading.isInCpe = false;
        if (name === 'port') closePort(reading);
      },
    },
    { xmlMode: true },
  );
  for (let at = 0; at < xml.length; at += chunkCharacters) {
    parser.write(xml.slice(at, at + chunkCharacters));
    if (reading.depth > parserLimits.depth) {
      reading.gathering.note('the XML is nested too deep for one of nmap');
      return;
    }
  }
  parser.end();
}

const discovered = /^Discovered (open|open\|filtered) port (\d{1,5})\/(tcp|udp|sctp) on ([0-9A-Fa-f.:]{2,64})$/;

function readLines(reading: Reading, text: string): void {
  for (const line of linesOf(text)) {
    const [, state, portText, protocol, host] = discovered.exec(line?.trim() ?? '') ?? [];
    const port = boundedNumber(portText, 65_535);
    if (state === undefined || protocol === undefined || host === undefined || port === null || port === 0) continue;
    const key = keyOf(host, protocol, port);
    if (reading.known.has(key)) continue;
    if (!reading.gathering.add(findingOf(host, { port, protocol, state, service: {}, cpes: [] }))) return;
    reading.known.add(key);
  }
}

export function parseNmap({ stdout, outputFile }: Pick<ScanOutput, 'stdout' | 'outputFile'>): Parsed {
  const gathering = gather();
  const reading: Reading = {
    host: null,
    port: null,
    isInCpe: false,
    depth: 0,
    isFinished: false,
    counts: new Map(),
    known: new Set(),
    gathering,
  };
  const lines = beginningOf(stdout);
  const file = outputFile === null ? lines : beginningOf(outputFile);
  readXml(reading, file.text);
  readLines(reading, lines.text);
  if (!file.isAll || !lines.isAll) gathering.note('only the beginning of the output of nmap was read');
  if (!reading.isFinished) gathering.note('nmap did not come to its end: ports may be missing, and what serves them');
  for (const [state, number] of reading.counts) gathering.note(`${number} ${number === 1 ? 'port' : 'ports'} ${state}`);
  return gathering.parsed();
}
