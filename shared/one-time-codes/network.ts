/**
 * The address that limits are counted by: an IPv4 address, or the /64 network of an IPv6 address,
 * because one subscriber has at least a /64.
 */
export function networkOf(address: string): string {
  if (!address.includes(":")) return address;
  const [head = "", tail] = address.toLowerCase().split("::");
  const front = groupsOf(head);
  const back = tail === undefined ? [] : groupsOf(tail);
  const missing = tail === undefined ? 0 : 8 - front.length - back.length;
  const groups = [...front, ...Array.from({ length: Math.max(missing, 0) }, () => "0"), ...back];
  return `${groups.slice(0, 4).join(":")}::/64`;
}

const groupsOf = (text: string): string[] =>
  text === "" ? [] : text.split(":").map((group) => group.replace(/^0+(?=.)/, ""));
