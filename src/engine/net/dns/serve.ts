import { keepBytes } from '../event.ts';
import type { Datagram } from '../listener.ts';
import { nameText, type Query, readQuery, recordTypes, writeAnswer } from './message.ts';

/** Answers one DNS message, whatever it came in with: a datagram, a stream, or the body of an HTTP request. */

const typeNames = new Map(Object.entries(recordTypes).map(([name, number]) => [number as number, name]));

function describe(query: Query): { readonly name: string; readonly type: string }[] {
  return query.questions.map((question) => ({
    name: nameText(question.labels),
    type: typeNames.get(question.type) ?? String(question.type),
  }));
}

/** Repeats the id, says "not understood" and nothing else. */
function notUnderstood(bytes: Buffer): Buffer | null {
  if (bytes.length < 2) return null;
  return Buffer.concat([bytes.subarray(0, 2), Buffer.from([0x80, 0x81, 0, 0, 0, 0, 0, 0, 0, 0])]);
}

export async function answerMessage(
  bytes: Buffer,
  exchange: Pick<Datagram, 'world' | 'record'>,
  over: 'udp' | 'tcp' | 'https',
): Promise<Buffer | null> {
  const { names, config, resolver } = exchange.world;
  const query = readQuery(bytes);
  const kept = keepBytes(bytes, config.caps.keptBytes);
  if (query === null) {
    await exchange.record('dns-query', { fields: { over, isReadable: false }, bytes: kept });
    return notUnderstood(bytes);
  }
  const questions = describe(query);
  await exchange.record('dns-query', { fields: { over, isReadable: true, questions }, bytes: kept });
  const answers = query.questions.map((question) => resolver.resolve(question));
  const merged = { code: answers[0]?.code ?? 0, records: answers.flatMap(({ records }) => records) };
  const answer = writeAnswer(query, merged, over === 'udp' ? query.udpBytes : 65_535);
  const first = questions[0]?.name ?? '';
  const hasAddress = merged.records.some(({ type }) => type === recordTypes.A || type === recordTypes.AAAA);
  const addresses = !hasAddress ? [] : [names.addressesOf(first).ipv4, names.addressesOf(first).ipv6];
  await exchange.record('dns-answer', {
    fields: { over, questions, code: merged.code, records: merged.records.length, addresses },
    bytes: keepBytes(answer, config.caps.keptBytes),
  });
  return answer;
}
