import { describeError } from '../../../base/errors.ts';
import { forTerminal, untrusted } from '../../../base/untrusted.ts';
import { PinnedClient, reachableFirst } from './client/index.ts';
import type { AuditInput, AuditLine, Auditor } from './contract.ts';
import { parseAuditInput } from './read-input.ts';
import { makeLineWriter } from './write-lines.ts';

const mostLines = 10_000;

const wordsOf = (error: unknown): string => forTerminal(untrusted(describeError(error), 800));

/** Runs one auditor to its end; 0, or 1 where something went wrong, which then stands in a note. Never rejects. */
export async function runAudit(
  list: readonly Auditor[],
  name: string,
  inputText: string,
  write: (line: string) => void,
): Promise<0 | 1> {
  const fail = (text: string): 1 => {
    write(makeLineWriter(null)({ type: 'note', text }));
    return 1;
  };
  const auditor = list.find((entry) => entry.name === name);
  if (auditor === undefined) return fail(`there is no auditor called ${wordsOf(name).slice(0, 100)}`);
  let input: AuditInput;
  let note: string | null;
  try {
    ({ input, note } = await reachableFirst(parseAuditInput(inputText)));
  } catch (error) {
    return fail(wordsOf(error));
  }
  const lineOf = makeLineWriter(input);
  let lines = 0;
  const say = (line: AuditLine): void => {
    lines += 1;
    if (lines <= mostLines) write(lineOf(line));
  };
  if (note !== null) say({ type: 'note', text: note });
  const client = new PinnedClient(input);
  try {
    await auditor.run({ input, client, say });
  } catch (error) {
    write(lineOf({ type: 'note', text: `the audit stopped: ${wordsOf(error)}` }));
    return 1;
  } finally {
    client.close();
  }
  if (lines > mostLines) write(lineOf({ type: 'note', text: `${lines - mostLines} lines more are left out` }));
  write(lineOf({ type: 'end' }));
  return 0;
}
