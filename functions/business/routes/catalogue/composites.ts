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
  CompositeFields,
  NewCompositeFields,
  toCompositePatch,
  toNewComposite,
} from "../../requests/catalogue/bundle-and-composite-fields.ts";
import { locationIdsIn } from "../../requests/catalogue/product-fields.ts";
import {
  CompositeRecordView,
  viewCompositeRecord,
} from "../../views/catalogue/bundles-and-composites.ts";

const path = "/v1/businesses/{business_id}/composites";
const params = z.object({ business_id: id() });
const oneParams = params.extend({ composite_id: id() });

export const composites = createRoutes()
  .openapi(
    route("get", path, {
      operationId: "listComposites",
      tag: "Composites",
      summary: "List composites, including inactive ones, newest first",
      access: secretKey("catalogue:read"),
      params,
      query: z.object(pageQuery),
      response: Page(CompositeRecordView),
    }),
    async (c) => {
      const { limit, cursor } = c.req.valid("query");
      const ctx = createMerchantContext(c);
      const after = parseIdPosition(cursor);
      const records = await merchantCatalogue
        .definitionRepo(ctx, "composite")
        .list({ limit: limit + 1, after });
      const page = createPage(records, {
        limit,
        view: (record) => viewCompositeRecord(record, ctx.business),
        position: ({ product }) => product.composite?.id ?? "",
      });
      return c.json(envelope(page), 200);
    },
  )
  .openapi(
    route("get", `${path}/{composite_id}`, {
      operationId: "getComposite",
      tag: "Composites",
      summary: "Get a composite",
      access: secretKey("catalogue:read"),
      params: oneParams,
      response: CompositeRecordView,
    }),
    async (c) => {
      const ctx = createMerchantContext(c);
      const record = await merchantCatalogue
        .definitionRepo(ctx, "composite")
        .get(c.req.valid("param").composite_id);
      return c.json(envelope(viewCompositeRecord(record, ctx.business)), 200);
    },
  )
  .openapi(
    route("post", path, {
      operationId: "createComposite",
      tag: "Composites",
      summary: "Create a composite",
      access: secretKey("catalogue:write"),
      params,
      body: requireJson(NewCompositeFields),
      response: CompositeRecordView,
      status: 201,
    }),
    async (c) => {
      const fields = c.req.valid("json");
      const ctx = await createContextForLocations(c, locationIdsIn(fields));
      const record = await merchantCatalogue.createComposite(
        ctx,
        toNewComposite(fields, ctx.business),
      );
      return c.json(envelope(viewCompositeRecord(record, ctx.business)), 201);
    },
  )
  .openapi(
    route("patch", `${path}/{composite_id}`, {
      operationId: "updateComposite",
      tag: "Composites",
      summary: "Update a composite",
      description: "Lists are replaced; entries that are sent with their id keep it.",
      access: secretKey("catalogue:write"),
      params: oneParams,
      body: requireJson(CompositeFields),
      response: CompositeRecordView,
    }),
    async (c) => {
      const fields = c.req.valid("json");
      const ctx = await createContextForLocations(c, locationIdsIn(fields));
      const business = await addArchivedLocations(ctx, locationIdsIn(fields));
      const patch = toCompositePatch(fields, business);
      const record = await merchantCatalogue.updateComposite(
        ctx,
        c.req.valid("param").composite_id,
        patch,
      );
      return c.json(envelope(viewCompositeRecord(record, ctx.business)), 200);
    },
  )
  .openapi(
    route("delete", `${path}/{composite_id}`, {
      operationId: "archiveComposite",
      tag: "Composites",
      summary: "Archive a composite and its product",
      access: secretKey("catalogue:write"),
      params: oneParams,
      response: CompositeRecordView,
    }),
    async (c) => {
      const ctx = createMerchantContext(c);
      const record = await merchantCatalogue.archiveComposite(
        ctx,
        c.req.valid("param").composite_id,
      );
      return c.json(envelope(viewCompositeRecord(record, ctx.business)), 200);
    },
  );
