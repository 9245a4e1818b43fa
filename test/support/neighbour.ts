import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { givenBusiness } from "./world.ts";

/** Another business in the same shop database: only a query's own condition keeps the two apart. */
export async function givenNeighbour({
  business,
}: Pick<CreatedBusiness, "business">): Promise<CreatedBusiness> {
  for (;;) {
    const other = await givenBusiness();
    if (other.business.shard === business.shard) return other;
  }
}
