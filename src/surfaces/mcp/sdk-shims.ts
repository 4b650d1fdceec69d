import process from "node:process";

/**
 * Replaces the SDK's own Node shims in the bundle (see tsdown.config.ts). The SDK uses the validator only for answers to
 * elicitation, and this server never elicits.
 */
class RefusingJsonSchemaValidator {
  getValidator(): never {
    throw new Error("This server never elicits, so it validates no answers.");
  }
}

export { process, RefusingJsonSchemaValidator as DefaultJsonSchemaValidator };
