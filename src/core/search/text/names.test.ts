import fc from "fast-check";
import { expect, test } from "vitest";
import { hasPlainName, plainName } from "./names.ts";

test("a name is compared with a plain one as if it were made plain first", () => {
  const name = fc.oneof(
    fc.string({ maxLength: 12 }),
    fc.constantFrom("Store.Get", "user_auth", "Größe", "ﬁle_2"),
  );
  fc.assert(
    fc.property(name, name, (written, other) => {
      expect(hasPlainName(written, plainName(other))).toBe(plainName(written) === plainName(other));
      expect(hasPlainName(written, plainName(written))).toBe(true);
    }),
  );
});
