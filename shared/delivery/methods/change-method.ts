import { raiseCatalogueVersion } from "../../catalogue/index.ts";
import {
  archiveRecord,
  type ConstraintRefusals,
  type Context,
  commit,
  nextUpdatedAt,
  retryOnConflict,
  staleWriteRefusal,
} from "../../database/index.ts";
import { invalid } from "../../kernel/index.ts";
import {
  applyMethodPatch,
  type DeliveryMethod,
  type DeliveryMethodPatch,
  type NewDeliveryMethod,
  requireConsistentMethod,
} from "./delivery-method.ts";
import { methodRepo } from "./method-repo.ts";

/**
 * Creates a delivery method.
 *
 * @throws Refusal VALIDATION_ERROR naming the field, also for an unknown zone.
 */
export async function createMethod(
  ctx: Context,
  input: NewDeliveryMethod,
): Promise<DeliveryMethod> {
  const method = requireConsistentMethod({ ...input, id: ctx.newId("dlm") });
  await commit(ctx, {
    writes: [methodRepo(ctx).insert(method, ctx.now()), raiseCatalogueVersion(ctx)],
    audit: [{ action: "delivery_method.created", entity: method.id, after: method }],
    refusals: methodRefusals,
  });
  return method;
}

/**
 * Updates the given fields of a method.
 *
 * @throws Refusal NOT_FOUND, and as `createMethod`.
 */
export function updateMethod(
  ctx: Context,
  id: string,
  patch: DeliveryMethodPatch,
): Promise<DeliveryMethod> {
  const repo = methodRepo(ctx);
  return retryOnConflict(async () => {
    const record = await repo.get(id);
    const { method: before } = record;
    const method = applyMethodPatch(before, patch);
    const updatedAt = nextUpdatedAt(ctx.now(), record);
    await commit(ctx, {
      writes: [repo.update(record, method, updatedAt), raiseCatalogueVersion(ctx)],
      audit: [{ action: "delivery_method.updated", entity: id, before, after: method }],
      refusals: methodRefusals,
    });
    return method;
  });
}

/**
 * Archives a delivery method. Archiving it again changes nothing.
 * @throws Refusal NOT_FOUND for an unknown method.
 */
export async function archiveMethod(ctx: Context, id: string): Promise<DeliveryMethod> {
  const { method } = await archiveRecord(ctx, id, {
    repo: methodRepo(ctx),
    writes: [raiseCatalogueVersion(ctx)],
    action: "delivery_method.archived",
    before: (record) => record.method,
    refusals: methodRefusals,
  });
  return method;
}

const methodRefusals: ConstraintRefusals = {
  "delivery_methods.zone_id": () => invalid("zone_id", "no such delivery zone"),
  ...staleWriteRefusal("delivery_methods", "delivery method"),
};
