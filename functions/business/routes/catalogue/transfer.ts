import { z } from "@hono/zod-openapi";
import { exportProducts, importProducts } from "../../../../shared/transfer/index.ts";
import { createRoutes } from "../../../http/app.ts";
import { secretKey } from "../../../http/authentication/access.ts";
import { envelope, route } from "../../../http/contract.ts";
import { id, queryBoolean } from "../../../wire/fields.ts";
import { createMerchantContext } from "../../context.ts";
import { csvContent, csvRoute, sendCsv } from "../../csv-response.ts";
import { readCsvFile } from "../../requests/csv-file.ts";
import { ImportView, viewImport } from "../../views/catalogue/import.ts";

const path = "/v1/businesses/{business_id}";
const params = z.object({ business_id: id() });

/**
 * Describes the form in the OpenAPI document only. With a zod schema, the whole form would be
 * parsed before the handler runs.
 */
const formFileSchema = {
  type: "object" as const,
  properties: { file: { type: "string" as const, format: "binary" } },
};

const importRoute = route("post", `${path}/imports`, {
  operationId: "importProducts",
  tag: "Imports and exports",
  summary: "Import products from a CSV in Shopify's format",
  description: "Importing the same file again changes nothing.",
  access: secretKey("catalogue:write"),
  params,
  query: z.object({ dry_run: queryBoolean().default(false) }),
  body: {
    description: "A UTF-8 CSV of at most 20 MiB, as the body or as the only file of a form.",
    content: { ...csvContent, "multipart/form-data": { schema: formFileSchema } },
    required: true,
  },
  response: ImportView,
  idempotency: { resumable: true },
});

const exportRoute = csvRoute(`${path}/exports/products`, {
  operationId: "exportProducts",
  tag: "Imports and exports",
  summary: "Export all products as a CSV that can be imported again",
  access: secretKey("catalogue:read"),
  params,
});

export const transfer = createRoutes()
  .openapi(importRoute, async (c) => {
    const { dry_run: isDryRun } = c.req.valid("query");
    const result = await importProducts(createMerchantContext(c), await readCsvFile(c), {
      isDryRun,
    });
    return c.json(envelope(viewImport(result)), 200);
  })
  .openapi(exportRoute, async (c) =>
    sendCsv(c, "products.csv", await exportProducts(createMerchantContext(c))),
  );
