import { z } from "@hono/zod-openapi";
import type { ImportResult } from "../../../../shared/transfer/index.ts";

const count = () => z.number().int();

export const ImportView = z
  .object({
    import_id: z.string(),
    products_created: count(),
    products_updated: count(),
    products_unchanged: count(),
    variants: count(),
    rows: count(),
    rejected: z.array(z.object({ row: count(), field: z.string(), message: z.string() })),
    rejected_total: count(),
  })
  .openapi("Import");
export type ImportView = z.infer<typeof ImportView>;

export const viewImport = (result: ImportResult): ImportView => ({
  import_id: result.importId,
  products_created: result.productsCreated,
  products_updated: result.productsUpdated,
  products_unchanged: result.productsUnchanged,
  variants: result.variants,
  rows: result.rows,
  rejected: result.rejected.map(({ row, field, message }) => ({ row, field, message })),
  rejected_total: result.rejectedTotal,
});
