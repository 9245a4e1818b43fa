import type { Release } from "./release.ts";

/** A capability of a profile. A vendor's own capability has another name. */
export type CapabilityName = keyof typeof capabilityParents;

/**
 * The capabilities that Duka has, with the capabilities that each extends. An extension is active
 * when one of its parents is; the other capabilities have no parent.
 */
export const capabilityParents = {
  "dev.ucp.shopping.checkout": [],
  "dev.ucp.shopping.cart": [],
  "dev.ucp.shopping.catalog.search": [],
  "dev.ucp.shopping.catalog.lookup": [],
  "dev.ucp.shopping.order": [],
  "dev.ucp.shopping.fulfillment": ["dev.ucp.shopping.checkout"],
  "dev.ucp.shopping.discount": ["dev.ucp.shopping.checkout", "dev.ucp.shopping.cart"],
  "dev.ucp.shopping.buyer_consent": ["dev.ucp.shopping.checkout"],
  "dev.ucp.common.identity_linking": [],
} as const satisfies Readonly<Record<string, readonly string[]>>;

// Safe: the literal's own keys are the names.
export const capabilityNames = Object.keys(capabilityParents) as readonly CapabilityName[];

/** The capabilities that are active in a call, each with the version that both sides have. */
export type NegotiatedCapabilities = ReadonlyMap<CapabilityName, Release>;

/** The versions of each capability that a platform's profile declares. */
export type DeclaredCapabilities = ReadonlyMap<string, readonly string[]>;

/**
 * The capabilities that both sides have in the release, without extensions whose parents are
 * missing. Each of Duka's capabilities has the version of its release.
 */
export function negotiateCapabilities(
  declared: DeclaredCapabilities,
  release: Release,
): NegotiatedCapabilities {
  const active = new Set(capabilityNames.filter((name) => declared.get(name)?.includes(release)));
  for (let before = -1; before !== active.size; ) {
    before = active.size;
    for (const name of active) if (isOrphaned(name, active)) active.delete(name);
  }
  return new Map([...active].map((name) => [name, release]));
}

function isOrphaned(name: CapabilityName, active: ReadonlySet<CapabilityName>): boolean {
  const parents: readonly CapabilityName[] = capabilityParents[name];
  return parents.length > 0 && !parents.some((parent) => active.has(parent));
}
