/** After this time the sensors have handed over what a call did, traffic included. */
export const settleMs = 300;

/** What a call did after its answer still belongs to it, for this long. */
export const afterNs = 200_000_000n;
