import { parseJson } from "../../kernel/index.ts";
import type { DeclaredCapabilities } from "../capabilities.ts";
import type { PublicJwk } from "../platform.ts";

/** What a platform's profile says, in whichever release it is written. */
export type PlatformProfile = Readonly<{
  version: string;
  capabilities: DeclaredCapabilities;
  paymentHandlers: ReadonlySet<string>;
  /** The address of its order events for each version of the capability. */
  orderWebhookUrls: ReadonlyMap<string, string>;
  keys: readonly PublicJwk[];
}>;

export type ParsedProfile =
  | Readonly<{ type: "profile"; profile: PlatformProfile }>
  | Readonly<{ type: "malformed"; problem: string }>;

const maxKeys = 20;
const maxEntries = 100;
const versionForm = /^\d{4}-\d{2}-\d{2}$/;
const orderCapability = "dev.ucp.shopping.order";

type Fields = Readonly<Record<string, unknown>>;

/**
 * Parses a platform's profile, as far as a call needs it. Keys of types that are not known stay in
 * the list, because only a signature that names them fails (docs/agents.md#profiles).
 */
export function parsePlatformProfile(text: string | null): ParsedProfile {
  const document = asFields(parseJson(text));
  if (!document) return malformed("The profile is no JSON object.");
  const ucp = asFields(document.ucp);
  if (!ucp) return malformed("The profile has no object `ucp`.");
  const { version } = ucp;
  if (typeof version !== "string" || !versionForm.test(version))
    return malformed("ucp.version must be a date in the form YYYY-MM-DD.");
  for (const name of ["services", "payment_handlers"] as const)
    if (!asFields(ucp[name])) return malformed(`ucp.${name} must be an object.`);
  const entries = readCapabilities(ucp.capabilities ?? {});
  if (!entries)
    return malformed("ucp.capabilities must have a list of entries with a version for each name.");
  const keys = readKeys(document);
  if (!keys)
    return malformed("keys and signing_keys must be lists of public keys with kid and kty.");
  const profile = {
    version,
    capabilities: new Map(
      [...entries].map(([name, list]) => [name, list.map((entry) => entry.version)]),
    ),
    paymentHandlers: new Set(
      Object.keys(asFields(ucp.payment_handlers) ?? {}).slice(0, maxEntries),
    ),
    orderWebhookUrls: readWebhookUrls(entries.get(orderCapability) ?? []),
    keys,
  };
  return { type: "profile", profile };
}

const malformed = (problem: string): ParsedProfile => ({ type: "malformed", problem });

const asFields = (value: unknown): Fields | null =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? Object(value) : null;

type CapabilityEntry = Readonly<{ version: string; config: Fields | null }>;

function readCapabilities(value: unknown): Map<string, readonly CapabilityEntry[]> | null {
  const fields = asFields(value);
  if (!fields || Object.keys(fields).length > maxEntries) return null;
  const capabilities = new Map<string, readonly CapabilityEntry[]>();
  for (const [name, list] of Object.entries(fields)) {
    if (!Array.isArray(list)) return null;
    const entries: CapabilityEntry[] = [];
    for (const one of list.slice(0, maxEntries)) {
      const { version, config } = Object(one);
      if (typeof version !== "string" || !versionForm.test(version)) return null;
      entries.push({ version, config: asFields(config) });
    }
    capabilities.set(name, entries);
  }
  return capabilities;
}

function readWebhookUrls(entries: readonly CapabilityEntry[]): Map<string, string> {
  const urls = new Map<string, string>();
  for (const { version, config } of entries) {
    const url = config?.webhook_url;
    if (typeof url === "string") urls.set(version, url);
  }
  return urls;
}

/** The keys of both releases; a profile may list the same ones under both names. */
function readKeys(document: Fields): PublicJwk[] | null {
  const keys = new Map<string, PublicJwk>();
  for (const list of [document.keys ?? [], document.signing_keys ?? []]) {
    if (!Array.isArray(list) || list.length > maxKeys) return null;
    for (const one of list) {
      const key = readKey(Object(one));
      if (!key) return null;
      if (!keys.has(key.kid)) keys.set(key.kid, key);
    }
  }
  return [...keys.values()];
}

const privateMembers = ["d", "p", "q", "dp", "dq", "qi", "oth", "k"];

function readKey(fields: Fields): PublicJwk | null {
  const { kid, kty, key_ops: operations } = fields;
  if (typeof kid !== "string" || typeof kty !== "string") return null;
  if (privateMembers.some((name) => name in fields)) return null;
  const members = ["crv", "x", "y", "alg", "use"].flatMap((name) => {
    const value = fields[name];
    return typeof value === "string" ? [[name, value] as const] : [];
  });
  return {
    kid,
    kty,
    ...Object.fromEntries(members),
    ...(Array.isArray(operations) && { key_ops: operations.map(String) }),
  };
}
