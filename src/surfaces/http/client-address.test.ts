import { expect, test } from "vitest";
import { clientAddress, trustedProxies } from "./client-address.ts";

const proxies = trustedProxies(["10.0.0.0/8", "2001:db8::1"]);

test.each([
  ["nobody is trusted by default", "192.0.2.9", { "x-forwarded-for": "198.51.100.1" }, "192.0.2.9"],
  ["a trusted proxy is believed", "10.1.2.3", { "x-forwarded-for": "198.51.100.1" }, "198.51.100.1"],
  [
    "an IPv4 proxy on an IPv6 socket too",
    "::ffff:10.1.2.3",
    { "x-forwarded-for": "198.51.100.1" },
    "198.51.100.1",
  ],
  [
    "what the client wrote itself is not",
    "10.1.2.3",
    { "x-forwarded-for": "203.0.113.7, 198.51.100.1" },
    "198.51.100.1",
  ],
  ["two trusted proxies", "10.1.2.3", { "x-forwarded-for": "198.51.100.1, 10.9.9.9" }, "198.51.100.1"],
  [
    "Forwarded",
    "2001:db8::1",
    { forwarded: 'for="[2001:db8:cafe::17]:4711";proto=https' },
    "2001:db8:cafe::17",
  ],
  [
    "Forwarded before X-Forwarded-For",
    "10.1.2.3",
    { forwarded: "for=198.51.100.1", "x-forwarded-for": "203.0.113.7" },
    "198.51.100.1",
  ],
  ["a name that is no address", "10.1.2.3", { forwarded: "for=_hidden" }, "10.1.2.3"],
  ["no header", "10.1.2.3", {}, "10.1.2.3"],
])("%s", (_case, peer, headers, client) => {
  expect(clientAddress(peer, new Headers(headers), proxies)).toBe(client);
});

test.each(["proxy.example.org", "10.0.0.0/99", ""])("%s is not a proxy's address", (text) => {
  expect(() => trustedProxies([text])).toThrow();
});
