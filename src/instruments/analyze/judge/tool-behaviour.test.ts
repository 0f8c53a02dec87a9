import { describe, expect, it } from 'vitest';
import { findingSchema } from '../../../base/finding-schema.ts';
import { called, lookedUp, made, numbered, opened, started } from '../../../evidence/detectors/sample-events.ts';
import { toolBehaviour } from './tool-behaviour.ts';

const places = { tmp: '/tmp', ownFolders: ['/opt/target'] };
const call = '4:tools/call:get_note';
const removed = (path: string) => made('unlink', { path: { text: path }, isFolder: false }, { call });

async function look(
  events: readonly ReturnType<typeof opened>[],
  annotations: Record<string, unknown> = {},
  name = 'get_note',
) {
  const { byTool, findings } = await toolBehaviour(numbered(events), [{ name, annotations }], places);
  for (const finding of findings) expect(findingSchema.safeParse(finding).error).toBeUndefined();
  return { ...byTool.get(name), titles: findings.map(({ title }) => title) };
}

describe('what a tool does', () => {
  it.each([
    { title: 'a file of the user', event: opened('/home/sam/notes.txt', 'read', { call }), observed: ['reads files'] },
    { title: 'a file of its own', event: opened('/opt/target/data.json', 'read', { call }), observed: [] },
    { title: 'a library of the system', event: opened('/usr/lib/x.so', 'read', { call }), observed: [] },
    { title: 'a new file', event: opened('/home/sam/out.txt', 'write', { call }), observed: ['writes files'] },
    { title: 'a scratch file', event: opened('/tmp/x', 'write', { call }), observed: [] },
    { title: 'a program', event: started(['git', 'log'], { call }), observed: ['starts programs'] },
    { title: 'a program that is not there', event: started(['git'], { call, outcome: 'failed' }), observed: [] },
    { title: 'a host', event: lookedUp('api.example', { call }), observed: ['uses the network'] },
    {
      title: 'its own machine',
      event: made('connect', { family: 'ipv4', address: '127.0.0.1', port: 1 }, { call }),
      observed: [],
    },
    {
      title: 'something during a trial',
      event: opened('/home/sam/out.txt', 'write', { call, phase: 'attack' }),
      observed: [],
    },
    { title: 'something between calls', event: opened('/home/sam/out.txt', 'write'), observed: [] },
    {
      title: 'something of another tool',
      event: opened('/home/sam/out.txt', 'write', { call: '5:tools/call:put' }),
      observed: [],
    },
    { title: 'a message', event: called(call, {}), observed: [] },
  ])('$title: $observed', async ({ event, observed }) => {
    expect((await look([event])).observed).toEqual(observed);
  });

  it.each([
    {
      hint: 'readOnlyHint',
      value: true,
      events: [opened('/home/sam/x', 'write', { call })],
      says: ['readOnlyHint: true'],
    },
    { hint: 'readOnlyHint', value: true, events: [removed('/home/sam/x')], says: ['readOnlyHint: true'] },
    { hint: 'readOnlyHint', value: true, events: [opened('/home/sam/a.db', 'read-write', { call })], says: [] },
    { hint: 'readOnlyHint', value: true, events: [opened('/home/sam/.cache/x', 'write', { call })], says: [] },
    { hint: 'readOnlyHint', value: true, events: [opened('/home/sam/app.log', 'write', { call })], says: [] },
    { hint: 'readOnlyHint', value: false, events: [opened('/home/sam/x', 'write', { call })], says: [] },
    { hint: 'readOnlyHint', value: 'true', events: [opened('/home/sam/x', 'write', { call })], says: [] },
    {
      hint: 'openWorldHint',
      value: false,
      events: [lookedUp('api.example', { call })],
      says: ['openWorldHint: false'],
    },
    { hint: 'openWorldHint', value: true, events: [lookedUp('api.example', { call })], says: [] },
    { hint: 'destructiveHint', value: false, events: [removed('/home/sam/x')], says: ['destructiveHint: false'] },
    { hint: 'destructiveHint', value: false, events: [removed('/home/sam/a.db-journal')], says: [] },
  ])('$hint: $value is contradicted: $says', async ({ hint, value, events, says }) => {
    const { contradicted, titles } = await look(events, { [hint]: value });
    expect(contradicted).toEqual(says);
    expect(titles).toHaveLength(says.length);
  });

  it('is found under the name that the tap gives the call', async () => {
    const odd = opened('/home/sam/x', 'write', { call: '4:tools/call:get?note' });
    expect((await look([odd], { readOnlyHint: true }, 'get note')).titles).toEqual([
      'Tool "get note" has readOnlyHint: true, and writes files',
    ]);
  });
});
