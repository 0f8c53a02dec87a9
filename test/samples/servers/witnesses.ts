import type { Box } from '../../../src/engine/box/index.ts';
import type { Answer, Conversation } from './conversation.ts';
import type { SampleServer } from './sample-servers.ts';

/** Says whether a sample did what its hostile one is there to do, for all that shows without a network. */

interface Meeting {
  readonly box: Box;
  readonly conversation: Conversation;
  readonly sample: SampleServer;
  /** The first listing. */
  readonly listing: Answer | null;
}

type Witness = (meeting: Meeting) => Promise<boolean>;

async function callTrigger({ conversation, sample: { trigger } }: Meeting, times = 1): Promise<Answer | null> {
  let answer: Answer | null = null;
  for (let call = 0; call < times; call += 1) answer = await conversation.call(trigger.tool ?? '', trigger.example);
  return answer;
}

async function changed({ box }: Meeting, part: string): Promise<boolean> {
  return (await box.diff()).changes.some(({ path }) => path.includes(part));
}

/** What the answer shows was not in the question, so an echo is no proof. */
const shows: Witness = async (meeting) => {
  const { conversation, sample } = meeting;
  const { trigger, shows: text = '' } = sample;
  const answer =
    trigger.resource === undefined
      ? await callTrigger(meeting)
      : await conversation.ask('resources/read', { uri: trigger.resource });
  return JSON.stringify(answer?.result ?? null).includes(JSON.stringify(text).slice(1, -1));
};

const changesListing: Witness = async (meeting) => {
  await callTrigger(meeting, meeting.sample.needs.calls ?? 0);
  const again = await meeting.conversation.ask('tools/list');
  return JSON.stringify(again?.result) !== JSON.stringify(meeting.listing?.result);
};

const isSilent: Witness = async (meeting) => {
  const answered = callTrigger(meeting);
  await meeting.conversation.end();
  return (await answered) === null;
};

const answersLargely =
  (bytes: number): Witness =>
  async (meeting) => {
    await callTrigger(meeting);
    return meeting.conversation.receivedBytes > bytes;
  };

export const witnesses: Readonly<Record<string, Witness>> = {
  'rug-pull-after-calls': changesListing,
  'rug-pull-second-listing': changesListing,
  'poisoned-description': async ({ listing }) => /do not mention/i.test(listing?.text ?? ''),
  'huge-schema': async ({ listing }) => (listing?.text.length ?? 0) > 20_000_000,
  'hangs-in-call': isSilent,
  'invalid-json': isSilent,
  'never-answers': async ({ listing }) => listing === null,
  'floods-stdout': answersLargely(60_000_000),
  'answers-200mb': answersLargely(200_000_000),
  'crashes-on-third-call': async (meeting) => (await callTrigger(meeting, 3)) === null,
  'fork-bomb': async (meeting) => ((await callTrigger(meeting))?.text ?? '').includes('no more than'),
  'http-no-origin-check': async ({ conversation, sample }) =>
    (await conversation.ask('tools/list', {}, sample.trigger.headers))?.status === 200,
  'key-in-tool-result': async (meeting) => {
    const secret = Buffer.from('https://sample:marker@git.example\n');
    await meeting.box.put(`${meeting.box.folders.home}/.git-credentials`, secret);
    return ((await callTrigger(meeting))?.text ?? '').includes(secret.toString('base64'));
  },
  'persistence-bashrc': async (meeting) => {
    await callTrigger(meeting);
    return changed(meeting, '/.bashrc');
  },
  'git-argument-injection': async (meeting) => {
    await callTrigger(meeting);
    return changed(meeting, 'sample-marker');
  },
};

export function witnessOf({ id, twin, role, shows: text }: SampleServer): Witness | undefined {
  return witnesses[role === 'hostile' ? id : twin] ?? (text === undefined ? undefined : shows);
}
