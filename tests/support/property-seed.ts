import fc from "fast-check";

/**
 * What a commit's tests say is the commit's own: the same cases on every machine. `PROPERTY_SEED=random npm test` looks
 * for new ones, and the seed that a failure prints repeats it.
 */
const wanted = process.env.PROPERTY_SEED ?? "20261116";
if (wanted !== "random") fc.configureGlobal({ seed: Number(wanted) });
