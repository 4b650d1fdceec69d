import { lookup } from "node:dns";
import { BlockList, isIP, type LookupFunction } from "node:net";
import { DomainError } from "../../../core/errors.ts";

/** Not the public internet: loopback, private, link-local (cloud metadata), shared, test, multicast. */
const RANGES_V4 = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
];
/** Also forms that contain an IPv4 address: mapped, compatible, NAT64, 6to4, Teredo. */
const RANGES_V6 = [
  "::/96",
  "::ffff:0:0/96",
  "64:ff9b::/96",
  "64:ff9b:1::/48",
  "100::/64",
  "2001::/23",
  "2001:db8::/32",
  "2002::/16",
  "fc00::/7",
  "fe80::/10",
  "fec0::/10",
  "ff00::/8",
];

/** One list per family: a list with mapped addresses would match every IPv4 address. */
const BLOCKED = { ipv4: blockList(RANGES_V4, "ipv4"), ipv6: blockList(RANGES_V6, "ipv6") } as const;

function blockList(ranges: readonly string[], family: "ipv4" | "ipv6"): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [network = "", bits] = range.split("/");
    list.addSubnet(network, Number(bits), family);
  }
  return list;
}

/** Whether a numeric address is outside the public internet. */
export function isPrivateAddress(address: string): boolean {
  const bare = address.replace(/^\[|\]$/g, "").replace(/%.*$/, "");
  const family = isIP(bare);
  if (family === 0) return true;
  return family === 4 ? BLOCKED.ipv4.check(bare, "ipv4") : BLOCKED.ipv6.check(bare, "ipv6");
}

const refusal = (host: string) =>
  new DomainError(
    "forbidden_path",
    `${host} is a private address; set allow_private_addresses in your own config.toml`,
  );

/** Refuses a host that is itself a private address; names are checked when they are resolved. */
export function refusePrivateHost(hostname: string): void {
  const bare = hostname.replace(/^\[|\]$/g, "");
  if (isIP(bare) !== 0 && isPrivateAddress(bare)) throw refusal(hostname);
}

/** DNS lookup for sockets: they connect to the addresses checked here, so a name cannot change in between. */
export const publicLookup: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) return callback(error, "", 0);
    if (addresses.length === 0 || addresses.some(({ address }) => isPrivateAddress(address))) {
      return callback(refusal(hostname), "", 0);
    }
    if (options.all) return callback(null, addresses);
    const [first] = addresses;
    return callback(null, first?.address ?? "", first?.family ?? 0);
  });
};
