import { asObject } from '../../base/json-shape.ts';
import { plausibleForm } from './plausible-value.ts';

/** The client that a server believes it talks to: what it says it can do, and how it answers the server's requests. */

export interface ClientSide {
  /** What a person does with a form that the server shows. */
  readonly elicitation: 'accept' | 'decline';
  readonly roots: readonly { readonly uri: string; readonly name: string }[];
}

export const defaultClientSide: ClientSide = {
  elicitation: 'accept',
  roots: [{ uri: 'file:///work', name: 'work' }],
};

export const clientCapabilities = { roots: { listChanged: true }, sampling: {}, elicitation: {} } as const;

const samplingAnswer = {
  role: 'assistant',
  content: { type: 'text', text: 'Understood. There is nothing to add.' },
  model: 'assistant',
  stopReason: 'endTurn',
} as const;

type Answer = (params: unknown, side: ClientSide) => Readonly<Record<string, unknown>>;

function elicit(params: unknown, { elicitation }: ClientSide): Readonly<Record<string, unknown>> {
  const { mode, requestedSchema } = asObject(params);
  // Nobody opens an address because a server says so.
  if (elicitation === 'decline' || mode === 'url') return { action: 'decline' };
  return { action: 'accept', content: plausibleForm(requestedSchema) };
}

const answers: ReadonlyMap<string, Answer> = new Map<string, Answer>([
  ['ping', () => ({})],
  ['roots/list', (_params, { roots }) => ({ roots })],
  ['sampling/createMessage', () => samplingAnswer],
  ['elicitation/create', elicit],
]);

/** Null where the client knows no such method. */
export function answerServer(
  method: string,
  params: unknown,
  side: ClientSide,
): Readonly<Record<string, unknown>> | null {
  return answers.get(method)?.(params, side) ?? null;
}
