import { BlockList, isIP, isIPv6 } from "node:net";

/** Whether an address is that of a proxy whose X-Forwarded-For can be trusted. */
export type IsTrustedProxy = (address: string) => boolean;

/**
 * Reads TRUSTED_PROXY, a list of addresses and networks separated by commas.
 *
 * @throws Error that names the entry that is neither.
 */
export function parseTrustedProxies(list: string): IsTrustedProxy {
  const trusted = new BlockList();
  for (const entry of splitList(list)) {
    const [address = "", prefix] = entry.split("/");
    const family = isIPv6(address) ? "ipv6" : "ipv4";
    const bits = prefix === undefined ? maxBits[family] : Number(prefix);
    if (!isIP(address) || !Number.isInteger(bits) || bits < 0 || bits > maxBits[family]) {
      throw new Error(
        `TRUSTED_PROXY must list addresses or networks such as 127.0.0.1, 10.0.0.0/8; ${entry} is neither.`,
      );
    }
    trusted.addSubnet(address, bits, family);
  }
  return (address) => isIP(address) !== 0 && trusted.check(address, familyOf(address));
}

/**
 * The address of the client: that of the socket, unless the socket is a trusted proxy's. Then it is
 * the last address of X-Forwarded-For that is no trusted proxy. Addresses before it may be invented.
 */
export function clientAddress(
  socketAddress: string | undefined,
  forwardedFor: string | undefined,
  isTrusted: IsTrustedProxy,
): string {
  let client = withoutMapping(socketAddress ?? "");
  const hops = splitList(forwardedFor ?? "").reverse();
  for (const hop of hops) {
    if (!isTrusted(client)) return client;
    const address = withoutMapping(withoutPort(hop));
    if (isIP(address) === 0) return client;
    client = address;
  }
  return client;
}

const maxBits = { ipv4: 32, ipv6: 128 } as const;

const familyOf = (address: string) => (isIPv6(address) ? "ipv6" : "ipv4");

const splitList = (list: string): string[] =>
  list
    .split(",")
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "");

/** An IPv4 client of a socket that also accepts IPv6 has an address such as ::ffff:192.0.2.1. */
const withoutMapping = (address: string): string => address.replace(/^::ffff:(?=[\d.]+$)/i, "");

/** Some proxies write the port: `192.0.2.1:50312` or `[2001:db8::1]:50312`. */
const withoutPort = (hop: string): string =>
  hop.replace(/^\[([^\]]+)\](?::\d+)?$/, "$1").replace(/^([\d.]+):\d+$/, "$1");
