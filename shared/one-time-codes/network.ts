/**
 * Returns what the limits per IP address count: an IPv4 address itself, or the /64 network of an
 * IPv6 address, because a subscriber can choose any address in a /64.
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
