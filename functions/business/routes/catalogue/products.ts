import { z } from "@hono/zod-openapi";
import { merchantCatalogue } from "../../../../shared/catalogue/index.ts";
import { createRoutes } from "../../../http/app.ts";
import { secretKey } from "../../../http/authentication/access.ts";
import { envelope, requireJson, route } from "../../../http/contract.ts";
import { formatNumberPosition, parseNumberPosition } from "../../../wire/cursor-position.ts";
import { id, name } from "../../../wire/fields.ts";
import { createPage, Page, pageQuery } from "../../../wire/paging.ts";
import {
  addArchivedLocations,
  createContextForLocations,
  createMerchantContext,
} from "../../context.ts";
import { bulkIds } from "../../requests/bulk-fields.ts";
import {
  locationIdsIn,
  ProductFields,
  toNewProduct,
  toProductPatch,
} from "../../requests/catalogue/product-fields.ts";
import { ProductStatusesView, viewProductStatus } from "../../views/catalogue/bulk-status.ts";
import { ProductRecordView, viewProductRecord } from "../../views/catalogue/product.ts";

const { changeProductStatuses, productStatuses } = merchantCatalogue;

const path = "/v1/businesses/{business_id}/products";
const params = z.object({ business_id: id() });
const oneParams = params.extend({ product_id: id() });

const maxIds = 100;

/** Ids that are separated by commas. */
const idList = z
  .string()
  .refine((list) => splitIds(list).length > 0, "must name at least one product")
  .refine((list) => splitIds(list).length <= maxIds, `must name at most ${maxIds} products`)
  .openapi({ example: "prod_01kxa1m5n0e00d1qk8s8rzv1a2,prod_01kxa1m5n0e01wfb9bq2xb0y7c" });

const splitIds = (list: string): readonly string[] =>
  list
    .split(",")
    .map((part) => part.trim())
    .filter(Boolean);

const ProductQuery = z.object({
  ...pageQuery,
  search: name(100).optional(),
  ids: idList.optional(),
  category_id: id().optional(),
  status: z.enum(["active", "inactive"]).optional(),
});

const NewProductBody = ProductFields.required({ name: true, default_price: true });

export const products = createRoutes()
  .openapi(
    route("get", path, {
      operationId: "listProducts",
      tag: "Products",
      summary: "List products, including inactive ones, newest first",
      access: secretKey("catalogue:read"),
      params,
      query: ProductQuery,
      response: Page(ProductRecordView),
    }),
    async (c) => {
      const { limit, cursor, search, ids, category_id, status } = c.req.valid("query");
      const ctx = createMerchantContext(c);
      const last = parseNumberPosition(cursor);
      const after = last && { createdAt: last.number, id: last.id };
      const filter = {
        search,
        ids: ids === undefined ? undefined : splitIds(ids),
        categoryId: category_id,
        isActive: status && status === "active",
      };
      const records = await merchantCatalogue
        .productRecordRepo(ctx)
        .list(filter, { limit: limit + 1, after });
      const page = createPage(records, {
        limit,
        view: (record) => viewProductRecord(record, ctx.business),
        position: ({ product }) => formatNumberPosition(product.createdAt, product.id),
      });
      return c.json(envelope(page), 200);
    },
  )
  .openapi(
    route("post", `${path}/bulk-status`, {
      operationId: "changeProductStatuses",
      tag: "Products",
      summary: "Activate, deactivate or archive several products",
      description: "The response says for each product which status it has now, and why.",
      access: secretKey("catalogue:write"),
      params,
      body: requireJson(z.object({ product_ids: bulkIds(), status: z.enum(productStatuses) })),
      response: ProductStatusesView,
      idempotency: { replay: "same" },
    }),
    async (c) => {
      const { product_ids, status } = c.req.valid("json");
      const results = await changeProductStatuses(createMerchantContext(c), product_ids, status);
      return c.json(envelope({ results: results.map(viewProductStatus) }), 200);
    },
  )
  .openapi(
    route("get", `${path}/{product_id}`, {
      operationId: "getProduct",
      tag: "Products",
      summary: "Get a product",
      access: secretKey("catalogue:read"),
      params: oneParams,
      response: ProductRecordView,
    }),
    async (c) => {
      const ctx = createMerchantContext(c);
      const record = await merchantCatalogue
        .productRecordRepo(ctx)
        .get(c.req.valid("param").product_id);
      return c.json(envelope(viewProductRecord(record, ctx.business)), 200);
    },
  )
  .openapi(
    route("post", path, {
      operationId: "createProduct",
      tag: "Products",
      summary: "Create a product",
      access: secretKey("catalogue:write"),
      params,
      body: requireJson(NewProductBody),
      response: ProductRecordView,
      status: 201,
    }),
    async (c) => {
      const fields = c.req.valid("json");
      const ctx = await createContextForLocations(c, locationIdsIn(fields));
      const record = await merchantCatalogue.createProduct(ctx, toNewProduct(fields, ctx.business));
      return c.json(envelope(viewProductRecord(record, ctx.business)), 201);
    },
  )
  .openapi(
    route("patch", `${path}/{product_id}`, {
      operationId: "updateProduct",
      tag: "Products",
      summary: "Update a product",
      description: "Lists are replaced; entries that are sent with their id keep it.",
      access: secretKey("catalogue:write"),
      rules: ["INVALID_STATE"],
      params: oneParams,
      body: requireJson(ProductFields),
      response: ProductRecordView,
    }),
    async (c) => {
      const fields = c.req.valid("json");
      const ctx = await createContextForLocations(c, locationIdsIn(fields));
      const business = await addArchivedLocations(ctx, locationIdsIn(fields));
      const patch = toProductPatch(fields, business);
      const record = await merchantCatalogue.updateProduct(
        ctx,
        c.req.valid("param").product_id,
        patch,
      );
      return c.json(envelope(viewProductRecord(record, ctx.business)), 200);
    },
  )
  .openapi(
    route("delete", `${path}/{product_id}`, {
      operationId: "archiveProduct",
      tag: "Products",
      summary: "Archive a product",
      access: secretKey("catalogue:write"),
      params: oneParams,
      response: ProductRecordView,
    }),
    async (c) => {
      const ctx = createMerchantContext(c);
      const record = await merchantCatalogue.archiveProduct(ctx, c.req.valid("param").product_id);
      return c.json(envelope(viewProductRecord(record, ctx.business)), 200);
    },
  );
