import { createMeter, type Meter } from "../database/index.ts";
import { createTtlCache, generateToken, hour, type Mode, sha256 } from "../kernel/index.ts";
import type { Business } from "./business.ts";

/**
 * publishable is for storefronts, secret for servers, deploy for storefront assets
 * (docs/contract/conventions.md#key-kinds).
 */
export const keyKinds = ["publishable", "secret", "deploy"] as const;
export type KeyKind = (typeof keyKinds)[number];

const scopeAreas = [
  "catalogue",
  "orders",
  "customers",
  "inventory",
  "payments",
  "support",
  "webhooks",
  "settings",
  "keys",
] as const;
/** What a secret key may do; `*` is everything (docs/contract/conventions.md#scopes). */
export type KeyScope = "*" | `${(typeof scopeAreas)[number]}:${"read" | "write"}`;
export const scopes: readonly KeyScope[] = [
  "*",
  ...scopeAreas.flatMap((area) => [`${area}:read`, `${area}:write`] as const),
];

const prefixes = { publishable: "pk", secret: "sk", deploy: "dk" } as const satisfies Record<
  KeyKind,
  string
>;

/**
 * Who owns a key: one business or an organization. A key of an organization serves all of its
 * businesses in the key's mode.
 */
export type KeyOwner = Readonly<
  { type: "business"; id: string } | { type: "organization"; id: string }
>;

export type ApiKey = Readonly<{
  id: string;
  kind: KeyKind;
  mode: Mode;
  owner: KeyOwner;
  scopes: readonly KeyScope[];
  label: string;
  createdAt: number;
  revokedAt: number | null;
  /** When the key was last used, accurate to the hour. */
  lastUsedAt: number | null;
}>;

/** Generates a key's text: prefix, mode and 160 random bits. It is shown once and not stored. */
export const generateKeyText = (
  kind: KeyKind,
  mode: Mode,
  random: (bytes: Uint8Array<ArrayBuffer>) => unknown,
): string => `${prefixes[kind]}_${mode}_${generateToken(random)}`;

const keyPattern = /^(pk|sk|dk)_(live|test)_[A-Za-z0-9]{20,64}$/;

/** The kind and mode that a key's text contains; null when the text is not a key. */
export function parseKeyText(text: string): { kind: KeyKind; mode: Mode } | null {
  const match = keyPattern.exec(text);
  if (!match) return null;
  const kind = keyKinds.find((candidate) => prefixes[candidate] === match[1]);
  return kind ? { kind, mode: match[2] === "live" ? "live" : "test" } : null;
}

/**
 * Whether the scopes of a key include the scope that a call needs. Write access does not include
 * read access.
 */
export const hasScope = (heldScopes: readonly KeyScope[], scope: KeyScope): boolean =>
  heldScopes.includes("*") || heldScopes.includes(scope);

/** The scope that creates and revokes keys. */
export const keyManagementScope = "keys:write" satisfies KeyScope;

/** Whether the key can create other keys, so that its owner is not locked out while it is active. */
export const canManageKeys = ({ kind, scopes, revokedAt }: ApiKey): boolean =>
  kind === "secret" && revokedAt === null && hasScope(scopes, keyManagementScope);

/** How accurately a key's last use is stored. */
export const keyUseResolutionMs = 1 * hour;

/** Whether the stored time of a key's last use is old enough to be updated. */
const shouldRecordUse = ({ lastUsedAt }: Pick<ApiKey, "lastUsedAt">, now: number): boolean =>
  now - (lastUsedAt ?? 0) >= keyUseResolutionMs;

/** A key and the business that it serves in this request. */
export type AuthenticatedKey = Readonly<{ key: ApiKey; business: Business | null }>;

/** The queries on CORE whose results the directory caches. */
type BusinessReader = Readonly<{
  find(id: string): Promise<Business | null>;
  findByKey(hash: string, requestedBusinessId: string | null): Promise<AuthenticatedKey | null>;
  recordKeyUse(keyId: string, now: number): Promise<unknown>;
}>;

type BusinessLookup = Readonly<{
  /** Opens CORE. Round trips of background work count on a separate meter. */
  open: (meter: Meter) => BusinessReader;
  meter: Meter;
  now: number;
  background: (work: Promise<unknown>) => void;
}>;

/** Longer than every id. A longer text names no business. */
const maxIdLength = 64;

/** All texts that cannot be an id are the same to the cache as an empty header. */
const withoutLongId = (requestedId: string | null): string | null =>
  requestedId !== null && requestedId.length > maxIdLength ? "" : requestedId;

/**
 * Caches businesses and keys for at most 5 s per isolate, so a revoked key or a changed setting is
 * effective everywhere within 10 s (docs/contract/conventions.md#key-revocation).
 */
export function createBusinessDirectory() {
  const keys = createTtlCache<AuthenticatedKey>(1_000);
  // A publishable key is public and may be sent with any business id. The keys that do not serve
  // the named business have a cache of their own, so that a flood of them evicts no other key.
  const refusedKeys = createTtlCache<AuthenticatedKey>(1_000);
  const businesses = createTtlCache<Business>(1_000);

  return {
    /**
     * Finds a key by its text. Returns null for an invalid, unknown or revoked key.
     *
     * @param assertMayLookUp throws when the caller may not look up a key that is not cached.
     */
    async findByKey(
      keyText: string,
      sentBusinessId: string | null,
      {
        open,
        meter,
        now,
        background,
        assertMayLookUp,
      }: BusinessLookup & Readonly<{ assertMayLookUp: () => void }>,
    ): Promise<AuthenticatedKey | null> {
      if (!parseKeyText(keyText)) return null;
      const requestedBusinessId = withoutLongId(sentBusinessId);
      // An empty header is not the same as no header, so it has a separate cache entry.
      const cacheKey = requestedBusinessId === null ? keyText : `${keyText} ${requestedBusinessId}`;
      let refused = refusedKeys.peek(cacheKey, now) ?? null;
      if (refused) return refused;
      const read = async (readMeter: Meter) => {
        const result = await open(readMeter).findByKey(await sha256(keyText), requestedBusinessId);
        if (result && shouldRecordUse(result.key, now)) {
          // Runs in the background. When the update fails, the next read of the key repeats it.
          background(
            open(createMeter())
              .recordKeyUse(result.key.id, now)
              .catch(() => {}),
          );
        }
        if (result === null || result.business !== null) return result;
        refused = result;
        refusedKeys.put(cacheKey, now, result);
        return null;
      };
      const served = await keys.getRevalidating(cacheKey, now, {
        load: async () => {
          assertMayLookUp();
          return read(meter);
        },
        reload: () => read(createMeter()),
        background,
      });
      return served ?? refused;
    },

    /** Finds a business by id, without a key. Null when no business has the id. */
    find: (
      id: string,
      { open, meter, now, background }: BusinessLookup,
    ): Promise<Business | null> =>
      businesses.getRevalidating(id, now, {
        load: () => open(meter).find(id),
        reload: () => open(createMeter()).find(id),
        background,
      }),
  };
}
