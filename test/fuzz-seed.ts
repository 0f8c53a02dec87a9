import fc from 'fast-check';

/**
 * The gate must say the same of the same tree each time, so properties are tried with one seed there. The search for new
 * counterexamples is a run of its own: `HOTCELL_FUZZ_SEED=random npm test -- …`, or with the seed that a failure printed.
 */
const wish = process.env.HOTCELL_FUZZ_SEED ?? '20261115';
if (wish !== 'random') fc.configureGlobal({ seed: Number(wish) });
