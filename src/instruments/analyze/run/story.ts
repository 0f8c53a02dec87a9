import type { Event } from '../../../base/event-schema.ts';
import { textOf } from '../../../engine/sensor/history/index.ts';
import type { DetectorContext } from '../../../evidence/detector.ts';
import { type Story, tellStory } from '../../../evidence/story/index.ts';
import type { Detonated } from '../interrogate/detonate/contract.ts';
import { eventsOf } from './run-events.ts';

/** What was planted while the target was installed is ours, and no part of its story. */
async function* withoutPlanting(folder: string, root: string): AsyncGenerator<Event> {
  for await (const event of eventsOf(folder)) {
    const path = event.phase === 'install' ? (textOf(event.fields.path) ?? '') : '';
    if (!path.startsWith(`${root}/`)) yield event;
  }
}

export function tellStoryOf(
  { folders, home, world }: Pick<Detonated, 'folders' | 'home' | 'world'>,
  folder: string,
  { ownFolders, declaredHosts }: Pick<DetectorContext, 'ownFolders' | 'declaredHosts'>,
): Promise<Story> {
  return tellStory(withoutPlanting(folder, world.root), {
    home: folders.home,
    ownFolders,
    decoys: (home?.files ?? []).map(({ path }) => path),
    declaredHosts,
  });
}
