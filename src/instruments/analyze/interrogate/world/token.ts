import { randomBytes } from 'node:crypto';

/** A word that stands nowhere else. */
export const token = (): string => `c${randomBytes(12).toString('hex')}`;
