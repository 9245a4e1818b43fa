import { and, isNull, type SQL, sql } from "drizzle-orm";
import { ownRow } from "../../catalogue/index.ts";
import type { Context } from "../../database/index.ts";
import { resourceFrom } from "../resources/resource-repo.ts";
import { staffMemberFrom } from "../staff/staff-repo.ts";
import { resources, services, staff } from "../tables.ts";
import type { Service, ServiceMeans, ServicePatch } from "./service.ts";

type Reader = Pick<Context, "db"> & Readonly<{ business: { id: string } }>;
type MeansRows = readonly [
  readonly (typeof staff.$inferSelect)[],
  readonly (typeof resources.$inferSelect)[],
];

/**
 * The statements that read the staff and resources of services, and others by their ids, archived
 * ones left out; to be put in one batch with others, and `meansFrom` reads what it answers.
 *
 * @param chosen the condition on the services, by which they are found.
 */
export function meansQueries(
  { db, business }: Reader,
  chosen: SQL | undefined,
  also: Pick<ServicePatch, "staffIds" | "resourceIds"> = {},
) {
  const own = and(ownRow(services.businessId, business), chosen);
  return [
    db
      .select()
      .from(staff)
      .where(
        and(
          sql`${staff.id} in (select named.value from ${services}, json_each(${services.staffIds}) as named where ${own}
            union select value from json_each(${JSON.stringify(also.staffIds ?? [])}))`,
          ownRow(staff.businessId, business),
          isNull(staff.archivedAt),
        ),
      ),
    db
      .select()
      .from(resources)
      .where(
        and(
          sql`${resources.id} in (select named.value from ${services}, json_each(${services.resourceIds}) as named where ${own}
            union select value from json_each(${JSON.stringify(also.resourceIds ?? [])}))`,
          ownRow(resources.businessId, business),
          isNull(resources.archivedAt),
        ),
      ),
  ] as const;
}

export const meansFrom = ([members, things]: MeansRows): ServiceMeans => ({
  staff: members.map(staffMemberFrom),
  resources: things.map(resourceFrom),
});

/** Those of a service among them, in its order. */
export const meansOf = (
  { staffIds, resourceIds }: Pick<Service, "staffIds" | "resourceIds">,
  { staff, resources }: ServiceMeans,
): ServiceMeans => ({
  staff: staffIds.flatMap((id) => staff.find((member) => member.id === id) ?? []),
  resources: resourceIds.flatMap((id) => resources.find((resource) => resource.id === id) ?? []),
});
