import type { ShopContext } from "../../businesses/index.ts";
import {
  type NewProduct,
  type ProductPatch,
  planNewProduct,
  planProductArchive,
  planProductUpdate,
  productAuditEntry,
} from "../../catalogue/index.ts";
import { type Context, commit, retryOnConflict } from "../../database/index.ts";
import {
  applyServicePatch,
  assertLocationsExist,
  assertResourcesExist,
  type NewServiceFields,
  type ServicePatch,
} from "./service.ts";
import { type ServiceRecord, serviceRepo } from "./service-repo.ts";
import { resourcesOfService } from "./service-resources-query.ts";

/**
 * Creates a service together with its product.
 *
 * @throws Refusal VALIDATION_ERROR naming the field; CONFLICT for a slug that is taken.
 */
export function createService(
  ctx: ShopContext,
  input: Readonly<{ product: Omit<NewProduct, "productType">; service: NewServiceFields }>,
): Promise<ServiceRecord> {
  const services = serviceRepo(ctx);
  const product: NewProduct = { ...input.product, productType: "service" };
  assertLocationsExist(input.service.locationIds, ctx.business);
  return retryOnConflict(async () => {
    const { productRows, referenced } = await services.loadForCreate(product, input.service);
    assertResourcesExist(input.service, referenced);
    const plan = planNewProduct(ctx, product, productRows);
    const { id: productId, createdAt } = plan.record.product;
    const service = {
      ...input.service,
      id: ctx.newId("svc"),
      productId,
      slotIntervalMinutes: input.service.slotIntervalMinutes ?? input.service.durationMinutes,
      createdAt,
      updatedAt: createdAt,
    };
    await commit(ctx, {
      ...plan.change,
      writes: [...plan.change.writes, services.insert(service)],
      audit: [productAuditEntry("service.created", service.id, plan, { after: { service } })],
    });
    return { service, record: plan.record, ...resourcesOfService(service, referenced) };
  });
}

/**
 * Changes a service and its product.
 *
 * @param id the id of the service or of its product.
 * @throws Refusal NOT_FOUND; VALIDATION_ERROR naming the field; CONFLICT for a slug that is taken.
 */
export function updateService(
  ctx: ShopContext,
  id: string,
  patch: Readonly<{ product: ProductPatch; service: ServicePatch }>,
): Promise<ServiceRecord> {
  const services = serviceRepo(ctx);
  return retryOnConflict(async () => {
    const { current, referenced } = await services.getForUpdate(id, {
      categoryId: patch.product.categoryId ?? null,
      resources: patch.service,
    });
    assertResourcesExist(patch.service, referenced);
    const { service: before, record } = current;
    assertLocationsExist(patch.service.locationIds ?? [], ctx.business, before.locationIds);
    const plan = planProductUpdate(ctx, record, {
      patch: patch.product,
      newCategory: referenced.category,
    });
    const service = applyServicePatch(before, patch.service, plan.record.product.updatedAt);
    await commit(ctx, {
      ...plan.change,
      writes: [...plan.change.writes, services.update(service)],
      audit: [
        productAuditEntry("service.updated", service.id, plan, {
          before: { service: before },
          after: { service },
        }),
      ],
    });
    return { service, record: plan.record, ...resourcesOfService(service, referenced) };
  });
}

/**
 * Archives a service and its product. Bookings stay valid. A second call changes nothing.
 *
 * @param id the id of the service or of its product.
 * @throws Refusal NOT_FOUND.
 */
export function archiveService(ctx: Context, id: string): Promise<ServiceRecord> {
  return retryOnConflict(async () => {
    const current = await serviceRepo(ctx).getEvenArchived(id);
    const { service, record } = current;
    if (record.isArchived) return current;
    const plan = planProductArchive(ctx, record);
    await commit(ctx, {
      ...plan.change,
      audit: [productAuditEntry("service.archived", service.id, plan, { before: { service } })],
    });
    return { ...current, record: plan.record };
  });
}
