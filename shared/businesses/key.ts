import { hour, type Mode, newToken } from "../kernel/index.ts";

/** publishable: storefronts; secret: servers; deploy: storefront assets (interface.md, Authentication). */
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
] as const;
/** What a secret key may do; `*` is everything (completions.md 2). */
export type Scope = "*" | `${(typeof scopeAreas)[number]}:${"read" | "write"}`;
export const scopes: readonly Scope[] = [
  "*",
  ...scopeAreas.flatMap((area) => [`${area}:read`, `${area}:write`] as const),
];

const prefixes = { publishable: "pk", secret: "sk", deploy: "dk" } as const satisfies Record<
  KeyKind,
  string
>;

/** Whose a key is: one business's, or an organization's, which serves every business of it in the key's mode. */
export type KeyOwner = Readonly<
  { type: "business"; id: string } | { type: "organization"; id: string }
>;

export type ApiKey = Readonly<{
  id: string;
  kind: KeyKind;
  mode: Mode;
  owner: KeyOwner;
  scopes: readonly Scope[];
  label: string;
  createdAt: number;
  revokedAt: number | null;
  /** To the hour: whether a key can be revoked without harm. */
  lastUsedAt: number | null;
}>;

/** A key's text, to be shown once: prefix, mode, 160 random bits. */
export const newKeyText = (
  kind: KeyKind,
  mode: Mode,
  random: (bytes: Uint8Array<ArrayBuffer>) => unknown,
): string => `${prefixes[kind]}_${mode}_${newToken(random)}`;

const shape = /^(pk|sk|dk)_(live|test)_[A-Za-z0-9]{20,64}$/;

/** What a key's text says of itself; null when it is no key at all. */
export function readKeyText(text: string): { kind: KeyKind; mode: Mode } | null {
  const match = shape.exec(text);
  if (!match) return null;
  const kind = keyKinds.find((candidate) => prefixes[candidate] === match[1]);
  return kind ? { kind, mode: match[2] === "live" ? "live" : "test" } : null;
}

/** Whether a key's scopes cover what a call needs; writing does not imply reading. */
export const covers = (held: readonly Scope[], needed: Scope): boolean =>
  held.includes("*") || held.includes(needed);

/** How exactly a key's last use is known. */
export const keyUseMs = 1 * hour;

/** Whether a use is news. */
export const isUseToNote = ({ lastUsedAt }: Pick<ApiKey, "lastUsedAt">, now: number): boolean =>
  now - (lastUsedAt ?? 0) >= keyUseMs;
