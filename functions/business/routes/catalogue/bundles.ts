import { z } from "@hono/zod-openapi";
import { merchantCatalogue } from "../../../../shared/catalogue/index.ts";
import { createRoutes } from "../../../http/app.ts";
import { secretKey } from "../../../http/authentication/access.ts";
import { envelope, requireJson, route } from "../../../http/contract.ts";
import { id } from "../../../wire/fields.ts";
import { createPage, Page, pageQuery, parseIdPosition } from "../../../wire/paging.ts";
import {
  addArchivedLocations,
  createContextForLocations,
  createMerchantContext,
} from "../../context.ts";
import {
  BundleFields,
  NewBundleFields,
  toBundlePatch,
  toNewBundle,
} from "../../requests/catalogue/bundle-and-composite-fields.ts";
import { locationIdsIn } from "../../requests/catalogue/product-fields.ts";
import {
  BundleRecordView,
  viewBundleRecord,
} from "../../views/catalogue/bundles-and-composites.ts";

const path = "/v1/businesses/{business_id}/bundles";
const params = z.object({ business_id: id() });
const oneParams = params.extend({ bundle_id: id() });

export const bundles = createRoutes()
  .openapi(
    route("get", path, {
      operationId: "listBundles",
      tag: "Bundles",
      summary: "List bundles, including inactive ones, newest first",
      access: secretKey("catalogue:read"),
      params,
      query: z.object(pageQuery),
      response: Page(BundleRecordView),
    }),
    async (c) => {
      const { limit, cursor } = c.req.valid("query");
      const ctx = createMerchantContext(c);
      const after = parseIdPosition(cursor);
      const records = await merchantCatalogue
        .definitionRepo(ctx, "bundle")
        .list({ limit: limit + 1, after });
      const page = createPage(records, {
        limit,
        view: (record) => viewBundleRecord(record, ctx.business),
        position: ({ product }) => product.bundle?.id ?? "",
      });
      return c.json(envelope(page), 200);
    },
  )
  .openapi(
    route("get", `${path}/{bundle_id}`, {
      operationId: "getBundle",
      tag: "Bundles",
      summary: "Get a bundle",
      access: secretKey("catalogue:read"),
      params: oneParams,
      response: BundleRecordView,
    }),
    async (c) => {
      const ctx = createMerchantContext(c);
      const record = await merchantCatalogue
        .definitionRepo(ctx, "bundle")
        .get(c.req.valid("param").bundle_id);
      return c.json(envelope(viewBundleRecord(record, ctx.business)), 200);
    },
  )
  .openapi(
    route("post", path, {
      operationId: "createBundle",
      tag: "Bundles",
      summary: "Create a bundle",
      access: secretKey("catalogue:write"),
      params,
      body: requireJson(NewBundleFields),
      response: BundleRecordView,
      status: 201,
    }),
    async (c) => {
      const fields = c.req.valid("json");
      const ctx = await createContextForLocations(c, locationIdsIn(fields));
      const record = await merchantCatalogue.createBundle(ctx, toNewBundle(fields, ctx.business));
      return c.json(envelope(viewBundleRecord(record, ctx.business)), 201);
    },
  )
  .openapi(
    route("patch", `${path}/{bundle_id}`, {
      operationId: "updateBundle",
      tag: "Bundles",
      summary: "Update a bundle",
      description: "Lists are replaced; entries that are sent with their id keep it.",
      access: secretKey("catalogue:write"),
      params: oneParams,
      body: requireJson(BundleFields),
      response: BundleRecordView,
    }),
    async (c) => {
      const fields = c.req.valid("json");
      const ctx = await createContextForLocations(c, locationIdsIn(fields));
      const business = await addArchivedLocations(ctx, locationIdsIn(fields));
      const patch = toBundlePatch(fields, business);
      const record = await merchantCatalogue.updateBundle(
        ctx,
        c.req.valid("param").bundle_id,
        patch,
      );
      return c.json(envelope(viewBundleRecord(record, ctx.business)), 200);
    },
  )
  .openapi(
    route("delete", `${path}/{bundle_id}`, {
      operationId: "archiveBundle",
      tag: "Bundles",
      summary: "Archive a bundle and its product",
      access: secretKey("catalogue:write"),
      params: oneParams,
      response: BundleRecordView,
    }),
    async (c) => {
      const ctx = createMerchantContext(c);
      const record = await merchantCatalogue.archiveBundle(ctx, c.req.valid("param").bundle_id);
      return c.json(envelope(viewBundleRecord(record, ctx.business)), 200);
    },
  );
