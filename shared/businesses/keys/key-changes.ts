import { invalid, type Mode, Refusal, ruleViolation, sha256 } from "../../kernel/index.ts";
import { commitToCore, type MerchantContext, type OperatorContext } from "../context.ts";
import { organizationRepo } from "../organization-repo.ts";
import {
  type ApiKey,
  canManageKeys,
  generateKeyText,
  hasScope,
  type KeyKind,
  type KeyScope,
} from "./key.ts";
import { keyRepo } from "./key-repo.ts";

export type NewKey = Readonly<{ kind: KeyKind; scopes: readonly KeyScope[]; label: string }>;

/**
 * A new key and its text. Only the hash of the key is stored, so the text cannot be shown again.
 */
export type CreatedKey = Readonly<{ key: ApiKey; text: string }>;

/**
 * Creates a key of the business, in the business's mode. The new key may only have scopes in
 * `heldScopes`, the scopes of the key that creates it.
 *
 * @throws Refusal VALIDATION_ERROR, FORBIDDEN
 */
export async function createKey(
  ctx: MerchantContext,
  { heldScopes, ...key }: NewKey & { heldScopes: readonly KeyScope[] },
): Promise<CreatedKey> {
  assertScopesFitKind(key);
  assertScopesHeld(heldScopes, key.scopes);
  const { id, mode } = ctx.business;
  return insertKey(ctx, { ...key, mode, owner: { type: "business", id } });
}

/**
 * Creates a key of an organization, which serves all of its businesses in the key's mode. Only the
 * operator can create one; the audit entry belongs to the organization's default business.
 *
 * @param mode null for the mode of the default business.
 * @throws Refusal VALIDATION_ERROR, NOT_FOUND
 */
export async function createOrganizationKey(
  { core, contextFor }: OperatorContext,
  { organizationId, mode, ...key }: NewKey & { organizationId: string; mode: Mode | null },
): Promise<CreatedKey> {
  assertScopesFitKind(key);
  const defaultBusiness = await organizationRepo(core).getDefaultBusiness(organizationId);
  return insertKey(
    { ...contextFor(defaultBusiness), core },
    {
      ...key,
      mode: mode ?? defaultBusiness.mode,
      owner: { type: "organization", id: organizationId },
    },
  );
}

/**
 * Revokes a key; revoking it again changes nothing. The key stops working within 10 seconds, when
 * the caches have dropped it (docs/contract/conventions.md#key-revocation). It may only have scopes
 * in `heldScopes`, the scopes of the key that revokes it.
 *
 * @throws Refusal NOT_FOUND, FORBIDDEN, LAST_KEY for the business's last key that can manage keys, CONFLICT when
 * it became the last one meanwhile.
 */
export async function revokeKey(
  ctx: MerchantContext,
  { id, heldScopes }: Readonly<{ id: string; heldScopes: readonly KeyScope[] }>,
): Promise<ApiKey> {
  const owner = { type: "business", id: ctx.business.id } as const;
  const { key, hasOtherManager } = await keyRepo(ctx.core, owner).getBesideManager(id);
  assertScopesHeld(heldScopes, key.scopes);
  const mustLeaveManager = canManageKeys(key);
  if (mustLeaveManager && !hasOtherManager) throw lastKey();
  return storeRevocation(ctx, key, { mustLeaveManager });
}

const lastKey = () =>
  ruleViolation(
    "LAST_KEY",
    "This is the last secret key that can manage keys. Create another one with keys:write first.",
  );

/**
 * Revokes a key of an organization, as `revokeKey` does for a business. The organization's
 * businesses cannot revoke such a key.
 *
 * @throws Refusal NOT_FOUND, also for another organization's key.
 */
export async function revokeOrganizationKey(
  { core, contextFor }: OperatorContext,
  { organizationId, id }: Readonly<{ organizationId: string; id: string }>,
): Promise<ApiKey> {
  const { key, business } = await organizationRepo(core).getKey(organizationId, id);
  return storeRevocation({ ...contextFor(business), core }, key, { mustLeaveManager: false });
}

async function insertKey(
  ctx: MerchantContext,
  { kind, scopes, label, mode, owner }: NewKey & Pick<ApiKey, "mode" | "owner">,
): Promise<CreatedKey> {
  const text = generateKeyText(kind, mode, ctx.randomBytes);
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
  await commitToCore(ctx, {
    writes: [keyRepo(ctx.core, owner).insert(key, await sha256(text))],
    audit: { action: "key.created", entity: key.id, after: key },
  });
  return { key, text };
}

async function storeRevocation(
  ctx: MerchantContext,
  key: ApiKey,
  { mustLeaveManager }: Readonly<{ mustLeaveManager: boolean }>,
): Promise<ApiKey> {
  if (key.revokedAt !== null) return key;
  const revoked = { ...key, revokedAt: ctx.now() };
  const { revokedAt } = revoked;
  await commitToCore(ctx, {
    writes: [keyRepo(ctx.core, key.owner).revoke(key.id, { revokedAt, mustLeaveManager })],
    audit: { action: "key.revoked", entity: key.id, before: key, after: revoked },
  });
  return revoked;
}

/**
 * @throws Refusal VALIDATION_ERROR when a secret key has no scopes, or when a publishable or deploy
 * key has scopes.
 */
function assertScopesFitKind({ kind, scopes }: NewKey): void {
  if (kind === "secret" && scopes.length === 0) throw invalid("scopes", "must name at least one");
  if (kind !== "secret" && scopes.length > 0) {
    throw invalid("scopes", `must be empty: a ${kind} key has none`);
  }
}

function assertScopesHeld(heldScopes: readonly KeyScope[], scopes: readonly KeyScope[]): void {
  const missing = scopes.find((scope) => !hasScope(heldScopes, scope));
  if (missing === undefined) return;
  throw new Refusal({
    code: "FORBIDDEN",
    message: `A key cannot create or revoke a key with the scope ${missing}, which it does not hold.`,
  });
}
