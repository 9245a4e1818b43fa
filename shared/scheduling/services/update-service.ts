import type { ShopContext } from "../../businesses/index.ts";
import { audited, type ProductPatch, planUpdate, retryRaces } from "../../catalogue/index.ts";
import { commit } from "../../database/index.ts";
import { demandLocations, demandMeans, patchedService, type ServicePatch } from "./service.ts";
import { meansOf } from "./service-means-repo.ts";
import { type ServiceRecord, serviceRepo } from "./service-repo.ts";

/**
 * Changes a service and its product (business-surface.md, Services and bookings).
 *
 * @param id the service's or its product's.
 * @throws Refusal NOT_FOUND; VALIDATION_ERROR naming the field; CONFLICT for a slug that is taken.
 */
export function updateService(
  ctx: ShopContext,
  id: string,
  patch: Readonly<{ product: ProductPatch; service: ServicePatch }>,
): Promise<ServiceRecord> {
  const services = serviceRepo(ctx);
  return retryRaces(async () => {
    const { found, there } = await services.getForUpdate(id, {
      categoryId: patch.product.categoryId ?? null,
      means: patch.service,
    });
    demandMeans(patch.service, there);
    const { service: before, record } = found;
    demandLocations(patch.service.locationIds ?? [], ctx.business, before.locationIds);
    const plan = planUpdate(ctx, record, { patch: patch.product, found: there.category });
    const service = patchedService(before, patch.service, plan.record.product.updatedAt);
    await commit(ctx, {
      ...plan.change,
      writes: [...plan.change.writes, services.update(service)],
      audit: [
        audited("service.updated", service.id, plan, {
          before: { service: before },
          after: { service },
        }),
      ],
    });
    return { service, record: plan.record, ...meansOf(service, there) };
  });
}
