import { z } from "@hono/zod-openapi";
import {
  archiveBundle,
  createBundle,
  definitionRecordRepo,
  updateBundle,
} from "../../../../shared/catalogue/index.ts";
import { area } from "../../../http/app.ts";
import { secretKey } from "../../../http/authentication/access.ts";
import { answer, contract, json } from "../../../http/contract.ts";
import { id } from "../../../wire/fields.ts";
import { idPosition, Page, pageOf, pageQuery } from "../../../wire/paging.ts";
import { contextNaming, merchantContext, withArchivedLocations } from "../../context.ts";
import {
  BundleFields,
  NewBundleFields,
  readBundle,
  readNewBundle,
} from "../../requests/catalogue/definition-fields.ts";
import { locationsNamed } from "../../requests/catalogue/product-fields.ts";
import { BundleRecordView, viewBundleRecord } from "../../views/catalogue/definition.ts";

const path = "/v1/businesses/{business_id}/bundles";
const params = z.object({ business_id: id() });
const oneParams = params.extend({ bundle_id: id() });

export const bundles = area()
  .openapi(
    contract("get", path, {
      summary: "The business's bundles, the newest first, inactive ones too",
      access: secretKey("catalogue:read"),
      params,
      query: z.object(pageQuery),
      answer: Page(BundleRecordView),
    }),
    async (c) => {
      const { limit, cursor } = c.req.valid("query");
      const ctx = merchantContext(c);
      const after = idPosition(cursor);
      const found = await definitionRecordRepo(ctx, "bundle").list({ limit: limit + 1, after });
      const page = pageOf(found, {
        limit,
        view: (record) => viewBundleRecord(record, ctx.business),
        position: ({ product }) => product.bundle?.id ?? "",
      });
      return c.json(answer(page), 200);
    },
  )
  .openapi(
    contract("get", `${path}/{bundle_id}`, {
      summary: "One bundle",
      access: secretKey("catalogue:read"),
      params: oneParams,
      answer: BundleRecordView,
    }),
    async (c) => {
      const ctx = merchantContext(c);
      const record = await definitionRecordRepo(ctx, "bundle").get(c.req.valid("param").bundle_id);
      return c.json(answer(viewBundleRecord(record, ctx.business)), 200);
    },
  )
  .openapi(
    contract("post", path, {
      summary: "Put a bundle into the catalogue",
      access: secretKey("catalogue:write"),
      params,
      body: json(NewBundleFields),
      answer: BundleRecordView,
      status: 201,
    }),
    async (c) => {
      const fields = c.req.valid("json");
      const ctx = await contextNaming(c, locationsNamed(fields));
      const record = await createBundle(ctx, readNewBundle(fields, ctx.business));
      return c.json(answer(viewBundleRecord(record, ctx.business)), 201);
    },
  )
  .openapi(
    contract("patch", `${path}/{bundle_id}`, {
      summary: "Change a bundle; lists are replaced, their entries keep their ids",
      access: secretKey("catalogue:write"),
      params: oneParams,
      body: json(BundleFields),
      answer: BundleRecordView,
    }),
    async (c) => {
      const fields = c.req.valid("json");
      const ctx = await contextNaming(c, locationsNamed(fields));
      const business = await withArchivedLocations(ctx, locationsNamed(fields));
      const patch = readBundle(fields, business);
      const record = await updateBundle(ctx, c.req.valid("param").bundle_id, patch);
      return c.json(answer(viewBundleRecord(record, ctx.business)), 200);
    },
  )
  .openapi(
    contract("delete", `${path}/{bundle_id}`, {
      summary: "Archive a bundle and its product",
      access: secretKey("catalogue:write"),
      params: oneParams,
      answer: BundleRecordView,
    }),
    async (c) => {
      const ctx = merchantContext(c);
      const record = await archiveBundle(ctx, c.req.valid("param").bundle_id);
      return c.json(answer(viewBundleRecord(record, ctx.business)), 200);
    },
  );
