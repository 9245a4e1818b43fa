import { createRoute, z } from "@hono/zod-openapi";
import { exportProducts, importProducts } from "../../../../shared/transfer/index.ts";
import { area } from "../../../http/app.ts";
import { secretKey } from "../../../http/authentication/access.ts";
import { answer, contract } from "../../../http/contract.ts";
import { id, queryBoolean } from "../../../wire/fields.ts";
import { merchantContext } from "../../context.ts";
import { csvFileOf } from "../../csv-file.ts";
import { streamedText } from "../../streamed-text.ts";
import { ImportView, viewImport } from "../../views/catalogue/import.ts";

const path = "/v1/businesses/{business_id}";
const params = z.object({ business_id: id() });

const csv = { "text/csv": { schema: z.string() } };

/** Documented alone: the schema of a form would have the body parsed, and held, before its row. */
const formFile = {
  type: "object" as const,
  properties: { file: { type: "string" as const, format: "binary" } },
};

const importRow = contract("post", `${path}/imports`, {
  goesOn: true,
  summary: "Bring a product CSV in, as Shopify exports it; the same file twice changes nothing",
  access: secretKey("catalogue:write"),
  params,
  query: z.object({ dry_run: queryBoolean().default(false) }),
  body: {
    description: "A UTF-8 CSV of up to 20 MiB, as the body or as the one file of a form.",
    content: { ...csv, "multipart/form-data": { schema: formFile } },
    required: true,
  },
  answer: ImportView,
});

const exportRow = contract("get", `${path}/exports/products`, {
  summary: "All products as a CSV that can be imported again, streamed",
  access: secretKey("catalogue:read"),
  params,
  answer: z.string(),
});

const exportedFile = createRoute({
  ...exportRow,
  responses: {
    200: { description: exportRow.summary, content: csv },
    default: exportRow.responses.default,
  },
});

export const transfer = area()
  .openapi(importRow, async (c) => {
    const { dry_run: isDryRun } = c.req.valid("query");
    const result = await importProducts(merchantContext(c), await csvFileOf(c), { isDryRun });
    return c.json(answer(viewImport(result)), 200);
  })
  .openapi(exportedFile, async (c) => {
    const text = await exportProducts(merchantContext(c));
    return c.body(streamedText(text), 200, {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": 'attachment; filename="products.csv"',
    });
  });
