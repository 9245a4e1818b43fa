type Block = readonly [network: string, bits: number];

/** IPv4 blocks that are not on the public internet, from IANA's special-purpose registry. */
const reservedV4: readonly Block[] = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
];

/**
 * Blocks of 2000::/3 that are reserved or contain an IPv4 address (Teredo, 6to4). All other
 * reserved IPv6 blocks are outside of 2000::/3.
 */
const reservedV6: readonly Block[] = [
  ["2001:0:0:0:0:0:0:0", 23],
  ["2001:db8:0:0:0:0:0:0", 32],
  ["2002:0:0:0:0:0:0:0", 16],
  ["3fff:0:0:0:0:0:0:0", 20],
];

const dottedQuad = /^\d{1,3}(?:\.\d{1,3}){3}$/;

/**
 * Whether a host is an IP address instead of a name. The host is in the form that `new URL`
 * returns.
 */
export const isIpAddress = (host: string): boolean => dottedQuad.test(host) || host.startsWith("[");

/**
 * Whether an IP address is on the public internet. The address is in the form that `new URL`
 * returns.
 */
export function isPublicIpAddress(host: string): boolean {
  if (dottedQuad.test(host)) {
    const address = v4Bits(host);
    return !reservedV4.some(([network, bits]) => isIn(address, v4Bits(network), 32, bits));
  }
  const address = v6Bits(host.slice(1, -1));
  const isGlobalUnicast = isIn(address, v6Bits("2000:0:0:0:0:0:0:0"), 128, 3);
  return (
    isGlobalUnicast &&
    !reservedV6.some(([network, bits]) => isIn(address, v6Bits(network), 128, bits))
  );
}

/**
 * Whether an IP address is in 127.0.0.0/8 or ::1. The address is in the form that `new URL`
 * returns.
 */
export const isLoopbackAddress = (host: string): boolean =>
  host === "[::1]" || (dottedQuad.test(host) && host.startsWith("127."));

const isIn = (address: bigint, network: bigint, width: number, bits: number): boolean =>
  address >> BigInt(width - bits) === network >> BigInt(width - bits);

const v4Bits = (address: string): bigint =>
  address.split(".").reduce((bits, byte) => (bits << 8n) | BigInt(byte), 0n);

/**
 * Parses an IPv6 address in the form that `new URL` returns: hexadecimal groups with at most one
 * `::`.
 */
function v6Bits(address: string): bigint {
  const [head = "", tail] = address.split("::");
  const before = groupsOf(head);
  const after = groupsOf(tail ?? "");
  const gap = tail === undefined ? 0 : 8 - before.length - after.length;
  const groups = [...before, ...Array<string>(gap).fill("0"), ...after];
  return groups.reduce((bits, group) => (bits << 16n) | BigInt(`0x${group}`), 0n);
}

const groupsOf = (part: string): string[] => part.split(":").filter(Boolean);
