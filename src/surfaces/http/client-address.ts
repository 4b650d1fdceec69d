import { BlockList, isIP } from "node:net";
import { DomainError } from "../../core/errors.ts";

/** Reads addresses and networks such as 10.0.0.0/8. */
export function trustedProxies(given: readonly string[]): BlockList {
  const list = new BlockList();
  for (const text of given) {
    const [address = "", bits] = text.split("/");
    const version = isIP(address);
    if (version === 0) throw new DomainError("invalid_input", `Not an address of a proxy: ${text}`);
    const family = version === 6 ? "ipv6" : "ipv4";
    try {
      if (bits === undefined) list.addAddress(address, family);
      else list.addSubnet(address, Number(bits), family);
    } catch (cause) {
      throw new DomainError("invalid_input", `Not a network of proxies: ${text}`, { cause });
    }
  }
  return list;
}

/**
 * Who sent a request. A proxy appends the address it was called from to `Forwarded` or `X-Forwarded-For`. Only what a
 * trusted proxy appended is believed: the list is read from its end, up to the first address that is not a trusted proxy's.
 */
export function clientAddress(peer: string | undefined, headers: Headers, proxies: BlockList): string {
  const hops = [...forwardedFor(headers), bare(peer ?? "")];
  let client = "unknown";
  for (let hop = hops.pop(); hop !== undefined; hop = hops.pop()) {
    if (isIP(hop) === 0) return client;
    client = hop;
    if (!proxies.check(hop, isIP(hop) === 6 ? "ipv6" : "ipv4")) return client;
  }
  return client;
}

function forwardedFor(headers: Headers): string[] {
  const forwarded = headers.get("forwarded");
  if (forwarded !== null)
    return forwarded.split(",").map((hop) => bare(/(?:^|;)\s*for=("?)([^";]+)\1/i.exec(hop)?.[2] ?? ""));
  return (headers.get("x-forwarded-for") ?? "").split(",").map(bare);
}

/** Without brackets, port, and the prefix of an IPv4 address on an IPv6 socket. */
const bare = (hop: string): string =>
  hop
    .trim()
    .replace(/^\[([^\]]*)\](?::\d+)?$/, "$1")
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, "$1")
    .replace(/^::ffff:(?=\d+\.)/i, "");
