import type { ShopContext } from "../../businesses/index.ts";
import {
  audited,
  type NewProduct,
  planInsert,
  retryRaces,
  wantedSlug,
} from "../../catalogue/index.ts";
import { commit } from "../../database/index.ts";
import { demandLocations, demandMeans, type NewServiceFields } from "./service.ts";
import { meansOf } from "./service-means-repo.ts";
import { type ServiceRecord, serviceRepo } from "./service-repo.ts";

/**
 * Offers a service: its product and what makes it bookable (business-surface.md, Services and bookings).
 *
 * @throws Refusal VALIDATION_ERROR naming the field; CONFLICT for a slug that is taken.
 */
export function createService(
  ctx: ShopContext,
  input: Readonly<{ product: Omit<NewProduct, "productType">; service: NewServiceFields }>,
): Promise<ServiceRecord> {
  const services = serviceRepo(ctx);
  const product: NewProduct = { ...input.product, productType: "service" };
  demandLocations(input.service.locationIds, ctx.business);
  return retryRaces(async () => {
    const wanted = { slug: wantedSlug(product), categoryId: product.categoryId };
    const there = await services.surroundings(wanted, input.service);
    demandMeans(input.service, there.means);
    const plan = planInsert(ctx, product, there.ofProduct);
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
      audit: [audited("service.created", service.id, plan, { after: { service } })],
    });
    return { service, record: plan.record, ...meansOf(service, there.means) };
  });
}
