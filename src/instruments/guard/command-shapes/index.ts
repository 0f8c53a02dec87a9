/** The public face of exploitable launch commands. */
export { checkCommand } from './check-command.ts';
export type { CommandCheck, GivenCommand, Predicate, ShapeHit } from './contract.ts';
export { findPredicate, predicates } from './predicates.ts';
export { quoteWords } from './quote-words.ts';
