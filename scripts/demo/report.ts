/** What the visitor told, checked against what the host itself saw. */

export interface Told {
  readonly kind: 'sees' | 'refused' | 'escaped';
  readonly name: string;
  readonly detail: string;
}

/** What the host can see for itself, whatever the visitor says. */
export interface HostView {
  readonly isFileWritten: boolean;
  readonly connections: number;
  readonly isProcessEnded: boolean;
  readonly isSecretInOutput: boolean;
}

const kinds = ['sees', 'refused', 'escaped'] as const;

/** Null where the visitor did not come to its end: then nothing it said can be relied on. */
export function readVisitor(output: string): readonly Told[] | null {
  const lines = output.split('\n').filter((line) => line !== '');
  if (lines.at(-1)?.startsWith('done\t') !== true) return null;
  return lines.slice(0, -1).flatMap((line): readonly Told[] => {
    const [first, name = '', detail = ''] = line.split('\t');
    const kind = kinds.find((known) => known === first);
    return kind === undefined ? [] : [{ kind, name, detail }];
  });
}

/** Everything that got out, as sentences. Empty is the only good answer. */
export function findEscapes(told: readonly Told[], host: HostView): readonly string[] {
  return [
    ...told.filter(({ kind }) => kind === 'escaped').map(({ name, detail }) => `the visitor could ${name}: ${detail}`),
    ...(told.some(({ kind }) => kind === 'refused') ? [] : ['the visitor tried nothing']),
    ...(host.isFileWritten ? ['the host found the file that the visitor was to write'] : []),
    ...(host.connections > 0 ? [`the host saw ${host.connections} connections`] : []),
    ...(host.isProcessEnded ? ['a process of the host was ended'] : []),
    ...(host.isSecretInOutput ? ['the secret of the host is in the output of the visitor'] : []),
  ];
}
