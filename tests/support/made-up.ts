/** Characters for a key that does not exist, made at run time so that no scanner finds a key in this repository. */
export function madeUp(length: number, alphabet = "aB3dE5gH7jK9mN2pQ4sT6vW8yZ"): string {
  let state = 7;
  return Array.from({ length }, () => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return alphabet[Math.floor(state / 65536) % alphabet.length] ?? "";
  }).join("");
}
export const madeUpHex = (length: number) => madeUp(length, "0123456789abcdef");
export const madeUpCapitals = (length: number) => madeUp(length, "ABCDEFGHJKLMNPQRSTUVWXYZ234567");
