import type { Json } from '../../contract.ts';
import { capped, type Draft, excerpt } from '../draft.ts';
import { type DnsMessage, readDns } from './dns.ts';
import type { Datagram } from './network.ts';
import { rules } from './rules.ts';

const ports = new Set([53, 5353, 5355]);
const most = 5000;
const longName = 52;
const manyNames = 20;

export interface NameLog {
  add(datagram: Datagram): void;
  finish(draft: Draft): void;
}

interface Asked {
  count: number;
  readonly types: Set<string>;
  readonly answers: Set<string>;
  failed: number;
}

export function makeNameLog(): NameLog {
  const names = new Map<string, Asked>();
  const keep = ({ questions, answers, response, code }: DnsMessage): void => {
    for (const { name, type } of questions) {
      const known = names.get(name) ?? { count: 0, types: new Set(), answers: new Set(), failed: 0 };
      if (!names.has(name) && names.size >= most) continue;
      names.set(name, known);
      known.types.add(type);
      if (!response) known.count += 1;
      else if (code === 3) known.failed += 1;
      for (const { value } of answers)
        if (value !== undefined && known.answers.size < 20) known.answers.add(excerpt(value, 300));
    }
  };
  return {
    add({ protocol, sourcePort, targetPort, payload }) {
      if (protocol !== 'udp' || !(ports.has(sourcePort) || ports.has(targetPort))) return;
      const message = readDns(payload);
      if (message !== undefined) keep(message);
    },
    finish(draft) {
      const list = [...names].map(
        ([name, asked]): Json => ({
          name: excerpt(name, 255),
          queries: asked.count,
          types: [...asked.types].slice(0, 10),
          answers: [...asked.answers],
          ...(asked.failed > 0 ? { no_such_name: asked.failed } : {}),
        }),
      );
      for (const [key, value] of Object.entries(capped('dns', list, 200))) draft.fact(key, value);
      draft.text('names asked for', [...names].flatMap(([name, { answers }]) => [name, ...answers]).join('\n'));
      const below = new Map<string, string[]>();
      for (const name of names.keys()) {
        if (name.length < longName) continue;
        const domain = name.split('.').slice(-2).join('.');
        below.set(domain, [...(below.get(domain) ?? []).slice(0, 199), name]);
      }
      for (const [domain, long] of below)
        if (long.length >= manyNames)
          draft.finding(rules.dnsTunnel, domain, `${long.length} names, such as ${long[0]}`);
    },
  };
}
