/** As `Promise.all`, but it throws only when all have ended: nothing goes on with files that the caller then removes. */
export async function allEnded<T extends readonly unknown[]>(
  ...values: T
): Promise<{ -readonly [Place in keyof T]: Awaited<T[Place]> }> {
  await Promise.allSettled(values);
  return Promise.all(values);
}
