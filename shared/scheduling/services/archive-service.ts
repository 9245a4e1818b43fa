import { audited, planArchive, retryRaces } from "../../catalogue/index.ts";
import { type Context, commit } from "../../database/index.ts";
import { type ServiceRecord, serviceRepo } from "./service-repo.ts";

/**
 * Ends the offer of a service, and takes its product out of the catalogue for good; done twice it is
 * done once. Bookings stay.
 *
 * @param id the service's or its product's.
 * @throws Refusal NOT_FOUND.
 */
export function archiveService(ctx: Context, id: string): Promise<ServiceRecord> {
  return retryRaces(async () => {
    const found = await serviceRepo(ctx).getEvenArchived(id);
    const { service, record } = found;
    if (record.isArchived) return found;
    const plan = planArchive(ctx, record);
    await commit(ctx, {
      ...plan.change,
      audit: [audited("service.archived", service.id, plan, { before: { service } })],
    });
    return { ...found, record: plan.record };
  });
}
