import process from "node:process";

/**
 * Stands in for the SDK's own Node shims in the bundle (see tsdown.config.ts). The validator is asked only about answers
 * to elicitation, which this server never sends.
 */
class RefusingJsonSchemaValidator {
  getValidator(): never {
    throw new Error("This server asks its clients for nothing, so there is nothing to validate.");
  }
}

export { process, RefusingJsonSchemaValidator as DefaultJsonSchemaValidator };
