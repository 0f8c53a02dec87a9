import type { Observed, Oracle, OracleKind, Proof } from '../contract.ts';

/** How one kind of oracle looks at the world after a call. Null: it saw nothing. */
export type Look<Kind extends OracleKind> = (
  oracle: Extract<Oracle, { kind: Kind }>,
  observed: Observed,
) => Proof | null;
