import { and, sql } from "drizzle-orm";
import { type Companion, companionOf, ownRow, type Product } from "../../catalogue/index.ts";
import type { Context } from "../../database/index.ts";
import type { Bookable } from "../slots/bookable.ts";
import { services } from "../tables.ts";
import { meansFrom, meansOf, meansQueries } from "./service-means-repo.ts";
import { serviceFromRow } from "./service-repo.ts";

/** What makes products bookable, as companions of the products' own read: it costs a round trip only where that one is spared. */
export type SoughtServices = Readonly<{
  companions: readonly Companion[];
  /** By their products' ids; a product that is no service, or none any more, is not among them. */
  find: (products: ReadonlyMap<string, Product>) => Promise<ReadonlyMap<string, Bookable>>;
}>;

/** The services of these products, with their staff and resources; nothing is asked for none. */
export function soughtServices(
  scope: Pick<Context, "db" | "business">,
  productIds: readonly string[],
): SoughtServices {
  if (productIds.length === 0) return { companions: [], find: async () => new Map() };
  const { db, business } = scope;
  const chosen = sql`${services.productId} in (select value from json_each(${JSON.stringify(productIds)}))`;
  const ofBusiness = and(chosen, ownRow(services.businessId, business));
  const [staff, resources] = meansQueries(scope, chosen);
  const queries = [db.select().from(services).where(ofBusiness), staff, resources] as const;
  type Rows = Awaited<ReturnType<typeof ask>>;
  const ask = () => db.batch(queries);
  const taken: { services?: Rows[0]; staff?: Rows[1]; resources?: Rows[2] } = {};

  async function rows(): Promise<Rows> {
    const { services, staff, resources } = taken;
    return services && staff && resources ? [services, staff, resources] : ask();
  }

  return {
    companions: [
      companionOf(queries[0], (answer) => {
        taken.services = answer;
      }),
      companionOf(queries[1], (answer) => {
        taken.staff = answer;
      }),
      companionOf(queries[2], (answer) => {
        taken.resources = answer;
      }),
    ],
    async find(products) {
      const [found, ...means] = await rows();
      const all = meansFrom(means);
      return new Map(
        found.flatMap((row) => {
          const service = serviceFromRow(row);
          const product = products.get(service.productId);
          return product
            ? [[service.productId, { service, product, ...meansOf(service, all) }]]
            : [];
        }),
      );
    },
  };
}
