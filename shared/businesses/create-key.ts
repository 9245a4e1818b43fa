import { Refusal } from "../kernel/index.ts";
import { addKey, type CreatedKey, demandFitting, type NewKey } from "./change-key.ts";
import type { MerchantContext } from "./context.ts";
import { covers, type Scope } from "./key.ts";

/**
 * Makes a further key of the business, in its mode (business-surface.md, Keys). Nobody hands out
 * more than they hold: the scopes must be within those of the key that asks.
 *
 * @throws Refusal VALIDATION_ERROR, FORBIDDEN
 */
export async function createKey(
  ctx: MerchantContext,
  { held, ...wanted }: NewKey & { held: readonly Scope[] },
): Promise<CreatedKey> {
  demandFitting(wanted);
  demandWithin(held, wanted.scopes);
  const { id, mode } = ctx.business;
  return addKey(ctx, { ...wanted, mode, owner: { type: "business", id } });
}

function demandWithin(held: readonly Scope[], scopes: readonly Scope[]): void {
  const beyond = scopes.find((scope) => !covers(held, scope));
  if (beyond === undefined) return;
  throw new Refusal({
    code: "FORBIDDEN",
    message: `A key cannot hand out the scope ${beyond}, which it does not hold.`,
  });
}
