import { DomainError, errnoOf } from "../../../core/errors.ts";

/** What a person can do something about, in words; the rest as it was thrown. */
export function asStoreError(thrown: unknown): unknown {
  const errno = errnoOf(thrown);
  if (["EROFS", "EACCES", "EPERM"].includes(errno ?? "")) {
    return new DomainError(
      "unavailable",
      "The context store cannot be written: the directory is read-only for this user.",
      { cause: thrown },
    );
  }
  if (errno === "EIO") {
    return new DomainError(
      "unavailable",
      "The disk refused the write. Look at the disk, then try again: nothing is left half done.",
      {
        cause: thrown,
      },
    );
  }
  return thrown;
}
