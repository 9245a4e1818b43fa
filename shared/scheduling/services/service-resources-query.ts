import { and, isNull, type SQL, sql } from "drizzle-orm";
import { type Context, isRowOfBusiness } from "../../database/index.ts";
import { toResource } from "../resources/resource-repo.ts";
import { toStaffMember } from "../staff/staff-repo.ts";
import { resources, services, staff } from "../tables.ts";
import type { Service, ServicePatch, ServiceResources } from "./service.ts";

type QueryContext = Pick<Context, "db"> & Readonly<{ business: { id: string } }>;
type ServiceResourceRows = readonly [
  readonly (typeof staff.$inferSelect)[],
  readonly (typeof resources.$inferSelect)[],
];

/**
 * The queries for the staff and resources of services, without archived ones, for a larger batch.
 * `toServiceResources` reads the results.
 *
 * @param serviceCondition selects the services.
 * @param additionalIds ids that are loaded even if no service lists them.
 */
export function staffAndResourceQueries(
  { db, business }: QueryContext,
  serviceCondition: SQL | undefined,
  additionalIds: Pick<ServicePatch, "staffIds" | "resourceIds"> = {},
) {
  const isSelected = and(isRowOfBusiness(services.businessId, business), serviceCondition);
  return [
    db
      .select()
      .from(staff)
      .where(
        and(
          sql`${staff.id} in (select named.value from ${services}, json_each(${services.staffIds}) as named where ${isSelected}
            union select value from json_each(${JSON.stringify(additionalIds.staffIds ?? [])}))`,
          isRowOfBusiness(staff.businessId, business),
          isNull(staff.archivedAt),
        ),
      ),
    db
      .select()
      .from(resources)
      .where(
        and(
          sql`${resources.id} in (select named.value from ${services}, json_each(${services.resourceIds}) as named where ${isSelected}
            union select value from json_each(${JSON.stringify(additionalIds.resourceIds ?? [])}))`,
          isRowOfBusiness(resources.businessId, business),
          isNull(resources.archivedAt),
        ),
      ),
  ] as const;
}

export const toServiceResources = ([
  staffRows,
  resourceRows,
]: ServiceResourceRows): ServiceResources => ({
  staff: staffRows.map(toStaffMember),
  resources: resourceRows.map(toResource),
});

/** Selects the staff and resources of one service, in the service's order. */
export const resourcesOfService = (
  { staffIds, resourceIds }: Pick<Service, "staffIds" | "resourceIds">,
  { staff, resources }: ServiceResources,
): ServiceResources => ({
  staff: staffIds.flatMap((id) => staff.find((member) => member.id === id) ?? []),
  resources: resourceIds.flatMap((id) => resources.find((resource) => resource.id === id) ?? []),
});
