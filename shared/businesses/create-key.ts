import { invalid, Refusal, sha256 } from "../kernel/index.ts";
import { changeCore } from "./change-core.ts";
import type { MerchantContext } from "./context.ts";
import { type ApiKey, covers, type KeyKind, newKeyText, type Scope } from "./key.ts";
import { businessRepo } from "./repo.ts";

export type NewKey = Readonly<{ kind: KeyKind; scopes: readonly Scope[]; label: string }>;

/** The key's text is to be shown once: only its hash is kept. */
export type CreatedKey = Readonly<{ key: ApiKey; text: string }>;

/**
 * Makes a further key of the business, in its mode (business-surface.md, Keys). Nobody hands out
 * more than they hold: the scopes must be within those of the key that asks.
 *
 * @throws Refusal VALIDATION_ERROR, FORBIDDEN
 */
export async function createKey(
  ctx: MerchantContext,
  { held, kind, scopes, label }: NewKey & { held: readonly Scope[] },
): Promise<CreatedKey> {
  demandFitting(kind, scopes);
  demandWithin(held, scopes);
  const { id: businessId, mode } = ctx.business;
  const text = newKeyText(kind, mode, ctx.random);
  const key: ApiKey = {
    id: ctx.newId("key"),
    kind,
    mode,
    businessId,
    organizationId: null,
    scopes: [...new Set(scopes)],
    label,
    createdAt: ctx.now(),
    revokedAt: null,
    lastUsedAt: null,
  };
  await changeCore(ctx, {
    writes: [businessRepo(ctx.core).insertKey(key, await sha256(text))],
    audit: { action: "key.created", entity: key.id, after: key },
  });
  return { key, text };
}

function demandFitting(kind: KeyKind, scopes: readonly Scope[]): void {
  if (kind === "secret" && scopes.length === 0) throw invalid("scopes", "must name at least one");
  if (kind !== "secret" && scopes.length > 0) {
    throw invalid("scopes", `must be empty: a ${kind} key has none`);
  }
}

function demandWithin(held: readonly Scope[], scopes: readonly Scope[]): void {
  const beyond = scopes.find((scope) => !covers(held, scope));
  if (beyond === undefined) return;
  throw new Refusal({
    code: "FORBIDDEN",
    message: `A key cannot hand out the scope ${beyond}, which it does not hold.`,
  });
}
