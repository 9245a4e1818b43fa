import { generateToken, hour, type Mode } from "../../kernel/index.ts";

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
  "members",
  "providers",
  "messages",
] as const;
/** What a secret key may do; `*` is everything (docs/contract/conventions.md#scopes). */
export type KeyScope =
  | "*"
  | `${(typeof scopeAreas)[number]}:${"read" | "write"}`
  /** Connects accounts at payment providers, which `payments:read` shows. */
  | "providers:write";
export const scopes: readonly KeyScope[] = [
  "*",
  ...scopeAreas.flatMap((area) => [`${area}:read`, `${area}:write`] as const),
  "providers:write",
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
export const shouldRecordUse = ({ lastUsedAt }: Pick<ApiKey, "lastUsedAt">, now: number): boolean =>
  now - (lastUsedAt ?? 0) >= keyUseResolutionMs;
