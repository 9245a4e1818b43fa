import { z } from "@hono/zod-openapi";
import {
  archiveProduct,
  createProduct,
  productRecordRepo,
  updateProduct,
} from "../../../../shared/catalogue/index.ts";
import { area } from "../../../http/app.ts";
import { secretKey } from "../../../http/authentication/access.ts";
import { answer, contract, json } from "../../../http/contract.ts";
import { id } from "../../../wire/fields.ts";
import { Page, pageOf, pageQuery } from "../../../wire/paging.ts";
import { contextNaming, merchantContext, withArchivedLocations } from "../../context.ts";
import {
  locationsNamed,
  ProductFields,
  readPricedProduct,
  readProduct,
} from "../../requests/catalogue/product-fields.ts";
import { numberPosition, numberPositionOf } from "../../requests/list-position.ts";
import { ProductRecordView, viewProductRecord } from "../../views/catalogue/product.ts";

const path = "/v1/businesses/{business_id}/products";
const params = z.object({ business_id: id() });
const oneParams = params.extend({ product_id: id() });

const NewProduct = ProductFields.required({ name: true, default_price: true });

export const products = area()
  .openapi(
    contract("get", path, {
      summary: "The business's products, the newest first, inactive ones too",
      access: secretKey("catalogue:read"),
      params,
      query: z.object(pageQuery),
      answer: Page(ProductRecordView),
    }),
    async (c) => {
      const { limit, cursor } = c.req.valid("query");
      const ctx = merchantContext(c);
      const last = numberPosition(cursor);
      const after = last && { createdAt: last.number, id: last.id };
      const found = await productRecordRepo(ctx).list({ limit: limit + 1, after });
      const page = pageOf(found, {
        limit,
        view: (record) => viewProductRecord(record, ctx.business),
        position: ({ product }) => numberPositionOf(product.createdAt, product.id),
      });
      return c.json(answer(page), 200);
    },
  )
  .openapi(
    contract("get", `${path}/{product_id}`, {
      summary: "One product",
      access: secretKey("catalogue:read"),
      params: oneParams,
      answer: ProductRecordView,
    }),
    async (c) => {
      const ctx = merchantContext(c);
      const record = await productRecordRepo(ctx).get(c.req.valid("param").product_id);
      return c.json(answer(viewProductRecord(record, ctx.business)), 200);
    },
  )
  .openapi(
    contract("post", path, {
      summary: "Put a product into the catalogue",
      access: secretKey("catalogue:write"),
      params,
      body: json(NewProduct),
      answer: ProductRecordView,
      status: 201,
    }),
    async (c) => {
      const fields = c.req.valid("json");
      const ctx = await contextNaming(c, locationsNamed(fields));
      const record = await createProduct(ctx, readPricedProduct(fields, ctx.business));
      return c.json(answer(viewProductRecord(record, ctx.business)), 201);
    },
  )
  .openapi(
    contract("patch", `${path}/{product_id}`, {
      summary: "Change a product; lists are replaced, their entries keep their ids",
      access: secretKey("catalogue:write"),
      params: oneParams,
      body: json(ProductFields),
      answer: ProductRecordView,
    }),
    async (c) => {
      const fields = c.req.valid("json");
      const ctx = await contextNaming(c, locationsNamed(fields));
      const business = await withArchivedLocations(ctx, locationsNamed(fields));
      const patch = readProduct(fields, business);
      const record = await updateProduct(ctx, c.req.valid("param").product_id, patch);
      return c.json(answer(viewProductRecord(record, ctx.business)), 200);
    },
  )
  .openapi(
    contract("delete", `${path}/{product_id}`, {
      summary: "Archive a product",
      access: secretKey("catalogue:write"),
      params: oneParams,
      answer: ProductRecordView,
    }),
    async (c) => {
      const ctx = merchantContext(c);
      const record = await archiveProduct(ctx, c.req.valid("param").product_id);
      return c.json(answer(viewProductRecord(record, ctx.business)), 200);
    },
  );
