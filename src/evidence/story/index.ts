/** The public face of telling what happened in a run. */
export type { StoryFacts } from './facts.ts';
export { type Story, tellStory } from './story.ts';
