import { day, hour, minute } from "../../kernel/index.ts";
import type { Business } from "../business.ts";

/** A hostname that leads to a business's shop (docs/contract/business.md#domains). */
export type Domain = Readonly<{
  id: string;
  businessId: string;
  /** In lower case, in ASCII, without a port. */
  hostname: string;
  /** When a DNS record proved that the hostname is the business's; null while it is pending. */
  verifiedAt: number | null;
  createdAt: number;
}>;

/** What a host name of a request leads to. */
export type HostOwner =
  | Readonly<{ type: "verified"; business: Business }>
  /** A business named it and has not proved that it is its own. */
  | Readonly<{ type: "pending" }>
  | Readonly<{ type: "unknown" }>;

/** The most domains of one business. */
export const maxDomains = 20;

const recordLabel = "_duka";

/** The DNS record that proves that the hostname is the business's. */
export const verificationRecordOf = ({
  hostname,
  businessId,
}: Pick<Domain, "hostname" | "businessId">) => ({
  type: "TXT" as const,
  name: `${recordLabel}.${hostname}`,
  value: `duka-verification=${businessId}`,
});

/** The longest name of the DNS. */
const maxNameLength = 253;
const label = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?";
/** At least two labels, of which the last is no number, so that no IP address fits. */
const hostnamePattern = new RegExp(String.raw`^(?:${label}\.)+(?=[a-z])${label}$`);

/**
 * A hostname in the form in which requests name it: lower case, international names in ASCII. Null
 * for anything else, such as a path, a port, an IP address or a name without a dot.
 */
export function parseHostname(text: string): string | null {
  if (/[\s/:@?#\\[\]%]/.test(text)) return null;
  const hostname = URL.parse(`https://${text}`)?.hostname ?? "";
  const isShortEnough = `${recordLabel}.${hostname}`.length <= maxNameLength;
  return isShortEnough && hostnamePattern.test(hostname) ? hostname : null;
}

/** Whether one of the names is the other one or a part of its domain. */
export const isSameSite = (one: string, other: string): boolean =>
  one === other || one.endsWith(`.${other}`) || other.endsWith(`.${one}`);

/** DNS is looked at every minute for an hour, then every hour for a week, then on request alone. */
export const dnsChecks = {
  oftenMs: minute,
  oftenForMs: hour,
  seldomMs: hour,
  forMs: 7 * day,
} as const;
