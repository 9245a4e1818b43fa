import { z } from "@hono/zod-openapi";
import { merchantCatalogue } from "../../../../shared/catalogue/index.ts";
import { BulkError, viewBulkError } from "../bulk-error.ts";

const ProductStatusView = z
  .object({
    product_id: z.string(),
    /** The status that the product has now; null for an unknown product. */
    status: z.enum(merchantCatalogue.productStatuses).nullable(),
    error: BulkError,
  })
  .openapi("ProductStatusChange");

/** What became of each product, in the order of the request. */
export const ProductStatusesView = z
  .object({ results: z.array(ProductStatusView) })
  .openapi("ProductStatusChanges");

export const viewProductStatus = ({
  productId,
  status,
  refusal,
}: merchantCatalogue.ProductStatusResult): z.infer<typeof ProductStatusView> => ({
  product_id: productId,
  status,
  error: viewBulkError(refusal),
});
