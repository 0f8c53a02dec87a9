/** How much a target is trusted. Here and not with the schema, so that whoever only knows the names need not load it. */
export const tiers = ['LOW', 'MEDIUM', 'HIGH', 'CRITICAL'] as const;
export type Tier = (typeof tiers)[number];
