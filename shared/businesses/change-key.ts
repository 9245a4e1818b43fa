import { invalid, sha256 } from "../kernel/index.ts";
import { changeCore } from "./change-core.ts";
import type { MerchantContext } from "./context.ts";
import { type ApiKey, type KeyKind, newKeyText, type Scope } from "./key.ts";
import { keyRepo } from "./key-repo.ts";

export type NewKey = Readonly<{ kind: KeyKind; scopes: readonly Scope[]; label: string }>;

/** The key's text is to be shown once: only its hash is kept. */
export type CreatedKey = Readonly<{ key: ApiKey; text: string }>;

/** Puts a new key into CORE; the entry of it stands in the log of the context's business. */
export async function addKey(
  ctx: MerchantContext,
  { kind, scopes, label, mode, owner }: NewKey & Pick<ApiKey, "mode" | "owner">,
): Promise<CreatedKey> {
  const text = newKeyText(kind, mode, ctx.random);
  const key: ApiKey = {
    id: ctx.newId("key"),
    kind,
    mode,
    owner,
    scopes: [...new Set(scopes)],
    label,
    createdAt: ctx.now(),
    revokedAt: null,
    lastUsedAt: null,
  };
  await changeCore(ctx, {
    writes: [keyRepo(ctx.core, owner).insert(key, await sha256(text))],
    audit: { action: "key.created", entity: key.id, after: key },
  });
  return { key, text };
}

/** Ends a key, with its entry in the log as `addKey`; one that is over stays as it is. */
export async function endKey(ctx: MerchantContext, key: ApiKey): Promise<ApiKey> {
  if (key.revokedAt !== null) return key;
  const revoked = { ...key, revokedAt: ctx.now() };
  await changeCore(ctx, {
    writes: [keyRepo(ctx.core, key.owner).revoke(key.id, revoked.revokedAt)],
    audit: { action: "key.revoked", entity: key.id, before: key, after: revoked },
  });
  return revoked;
}

/** @throws Refusal VALIDATION_ERROR for a secret key without scopes, and for another one with any. */
export function demandFitting({ kind, scopes }: NewKey): void {
  if (kind === "secret" && scopes.length === 0) throw invalid("scopes", "must name at least one");
  if (kind !== "secret" && scopes.length > 0) {
    throw invalid("scopes", `must be empty: a ${kind} key has none`);
  }
}
