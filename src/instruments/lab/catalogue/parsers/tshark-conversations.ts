import { linesOf, listed, nothingParsed, type ParsedOutput, type ToolParser } from './contract.ts';

/** `a:port <-> b:port  frames bytes  frames bytes  frames bytes  start duration`; bytes may carry a unit as a word. */
const row = /^(\S{3,60}):(\d{1,5})\s+<->\s+(\S{3,60}):(\d{1,5})\s+(\S.*)$/;

const units: ReadonlyMap<string, number> = new Map([
  ['kB', 1000],
  ['MB', 1_000_000],
  ['GB', 1_000_000_000],
]);

function numbersOf(text: string): readonly number[] {
  const words = text.split(/\s+/, 40);
  return words.flatMap((word, at) => {
    if (!/^[\d.,]{1,20}$/.test(word)) return [];
    return [Number(word.replace(/,/g, '')) * (units.get(words[at + 1] ?? '') ?? 1)];
  });
}

function parse(text: string): ParsedOutput {
  const lines = linesOf(text, 100_000);
  const conversations = lines.flatMap((line) => {
    const [, from, fromPort, to, toPort, rest] = row.exec(line) ?? [];
    if (from === undefined || to === undefined || rest === undefined) return [];
    const [, bytesToFirst = 0, , bytesToSecond = 0, frames = 0, bytes = 0, start = 0, duration = 0] = numbersOf(rest);
    return [
      {
        first: from,
        first_port: Number(fromPort),
        second: to,
        second_port: Number(toPort),
        bytes_to_first: bytesToFirst,
        bytes_to_second: bytesToSecond,
        frames,
        bytes,
        start_seconds: start,
        duration_seconds: duration,
      },
    ];
  });
  const hasFrame = lines.some((line) => line.startsWith('TCP Conversations'));
  if (!hasFrame && conversations.length === 0)
    return { ...nothingParsed, notes: ['tshark: no table of conversations was found in the output.'] };
  const addresses = [...new Set(conversations.flatMap(({ first, second }) => [first, second]))];
  return {
    facts: { conversation_count: conversations.length, conversations: listed(conversations) },
    findings: [],
    texts: addresses.length === 0 ? [] : [{ label: 'TCP addresses', text: addresses.join('\n') }],
    notes: [],
  };
}

export const tsharkConversationsParser: ToolParser = { id: 'tshark-conversations', parse };
