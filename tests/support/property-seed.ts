import fc from "fast-check";

/**
 * Property tests use a fixed seed, so that a commit gets the same cases on every machine. `PROPERTY_SEED=random npm test`
 * looks for new cases; a failure prints the seed that repeats it.
 */
const wanted = process.env.PROPERTY_SEED ?? "20261116";
if (wanted !== "random") fc.configureGlobal({ seed: Number(wanted) });
