import type { Analyser, AnalyserInput, Json } from '../../contract.ts';
import { capped, type Draft, draftResult } from '../draft.ts';
import { addBeacons } from './beacons.ts';
import { readCapture } from './capture.ts';
import { type Conversation, makeConversations } from './conversations.ts';
import { makeNameLog } from './names.ts';
import { isKnownLink, readDatagram } from './network.ts';
import { readTalks } from './talks.ts';

function describe(talk: Conversation): Json {
  return {
    protocol: talk.protocol,
    client: talk.client,
    client_port: talk.clientPort,
    server: talk.server,
    server_port: talk.serverPort,
    packets_from_client: talk.fromClient.packets,
    packets_from_server: talk.fromServer.packets,
    bytes_from_client: talk.fromClient.bytes,
    bytes_from_server: talk.fromServer.bytes,
    start: talk.start,
    duration: Math.round((talk.end - talk.start) * 1e6) / 1e6,
  };
}

function isoTime(seconds: number): string | undefined {
  return Number.isFinite(seconds) && seconds > 0 && seconds < 8e12 ? new Date(seconds * 1000).toISOString() : undefined;
}

function work(input: AnalyserInput, draft: Draft, tick: () => void): void {
  const conversations = makeConversations();
  const names = makeNameLog();
  const protocols = new Map<string, number>();
  let first = Number.POSITIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  let bytes = 0;
  const capture = readCapture(
    input.bytes,
    (packet) => {
      first = Math.min(first, packet.time);
      last = Math.max(last, packet.time);
      bytes += packet.originalLength;
      const datagram = readDatagram(packet);
      const protocol = datagram?.protocol ?? 'not IP';
      protocols.set(protocol, (protocols.get(protocol) ?? 0) + 1);
      if (datagram === undefined) return;
      conversations.add(datagram);
      names.add(datagram);
    },
    tick,
  );
  if (capture === undefined) {
    draft.note('not the header of a packet capture');
    return;
  }
  for (const note of capture.notes) draft.note(note);
  const unknown = [...capture.linkTypes].filter((type) => !isKnownLink(type));
  if (unknown.length > 0) draft.note(`links of type ${unknown.slice(0, 10).join(', ')} are not understood`);
  if (conversations.dropped > 0) draft.note(`${conversations.dropped} packets were counted but not kept`);
  draft.fact('format', capture.format);
  draft.fact('link_types', [...capture.linkTypes].slice(0, 20));
  draft.fact('packets', capture.packets);
  draft.fact('bytes', bytes);
  draft.fact('first', isoTime(first));
  draft.fact('last', isoTime(last));
  draft.fact('duration', capture.packets === 0 ? 0 : Math.round((last - first) * 1e6) / 1e6);
  draft.fact('protocols', Object.fromEntries(protocols));
  const list = (key: string, values: readonly Json[], most: number): void => {
    for (const [name, value] of Object.entries(capped(key, values, most))) draft.fact(name, value);
  };
  const size = ({ fromClient, fromServer }: Conversation): number => fromClient.bytes + fromServer.bytes;
  list(
    'conversations',
    conversations.list
      .toSorted((left, right) => size(right) - size(left))
      .slice(0, 101)
      .map(describe),
    100,
  );
  draft.fact('conversation_count', conversations.list.length);
  names.finish(draft);
  const talks = readTalks(draft, conversations.list, tick);
  list('http', talks.http, 200);
  list('tls', talks.tls, 200);
  list('plain_protocols', talks.mail, 100);
  addBeacons(draft, conversations.list);
  draft.text('addresses', talks.addresses.join('\n'));
  draft.text(
    'hosts',
    [...new Set(conversations.list.flatMap(({ client, server }) => [client, server]))].slice(0, 5000).join('\n'),
  );
}

export const pcap: Analyser = {
  id: 'pcap',
  title: 'Packet capture: conversations, DNS, HTTP, TLS',
  version: 1,
  kinds: ['pcap'],
  depth: 'quick',
  timeoutMs: 60_000,
  analyse: (input) => draftResult(input, (draft, tick) => work(input, draft, tick)),
};
