import { z } from "@hono/zod-openapi";
import {
  archiveComposite,
  createComposite,
  definitionRecordRepo,
  updateComposite,
} from "../../../../shared/catalogue/index.ts";
import { area } from "../../../http/app.ts";
import { secretKey } from "../../../http/authentication/access.ts";
import { answer, contract, json } from "../../../http/contract.ts";
import { id } from "../../../wire/fields.ts";
import { idPosition, Page, pageOf, pageQuery } from "../../../wire/paging.ts";
import { contextNaming, merchantContext, withArchivedLocations } from "../../context.ts";
import {
  CompositeFields,
  NewCompositeFields,
  readComposite,
  readNewComposite,
} from "../../requests/catalogue/definition-fields.ts";
import { locationsNamed } from "../../requests/catalogue/product-fields.ts";
import { CompositeRecordView, viewCompositeRecord } from "../../views/catalogue/definition.ts";

const path = "/v1/businesses/{business_id}/composites";
const params = z.object({ business_id: id() });
const oneParams = params.extend({ composite_id: id() });

export const composites = area()
  .openapi(
    contract("get", path, {
      summary: "The business's composites, the newest first, inactive ones too",
      access: secretKey("catalogue:read"),
      params,
      query: z.object(pageQuery),
      answer: Page(CompositeRecordView),
    }),
    async (c) => {
      const { limit, cursor } = c.req.valid("query");
      const ctx = merchantContext(c);
      const after = idPosition(cursor);
      const found = await definitionRecordRepo(ctx, "composite").list({ limit: limit + 1, after });
      const page = pageOf(found, {
        limit,
        view: (record) => viewCompositeRecord(record, ctx.business),
        position: ({ product }) => product.composite?.id ?? "",
      });
      return c.json(answer(page), 200);
    },
  )
  .openapi(
    contract("get", `${path}/{composite_id}`, {
      summary: "One composite",
      access: secretKey("catalogue:read"),
      params: oneParams,
      answer: CompositeRecordView,
    }),
    async (c) => {
      const ctx = merchantContext(c);
      const record = await definitionRecordRepo(ctx, "composite").get(
        c.req.valid("param").composite_id,
      );
      return c.json(answer(viewCompositeRecord(record, ctx.business)), 200);
    },
  )
  .openapi(
    contract("post", path, {
      summary: "Put a composite into the catalogue",
      access: secretKey("catalogue:write"),
      params,
      body: json(NewCompositeFields),
      answer: CompositeRecordView,
      status: 201,
    }),
    async (c) => {
      const fields = c.req.valid("json");
      const ctx = await contextNaming(c, locationsNamed(fields));
      const record = await createComposite(ctx, readNewComposite(fields, ctx.business));
      return c.json(answer(viewCompositeRecord(record, ctx.business)), 201);
    },
  )
  .openapi(
    contract("patch", `${path}/{composite_id}`, {
      summary: "Change a composite; lists are replaced, their entries keep their ids",
      access: secretKey("catalogue:write"),
      params: oneParams,
      body: json(CompositeFields),
      answer: CompositeRecordView,
    }),
    async (c) => {
      const fields = c.req.valid("json");
      const ctx = await contextNaming(c, locationsNamed(fields));
      const business = await withArchivedLocations(ctx, locationsNamed(fields));
      const patch = readComposite(fields, business);
      const record = await updateComposite(ctx, c.req.valid("param").composite_id, patch);
      return c.json(answer(viewCompositeRecord(record, ctx.business)), 200);
    },
  )
  .openapi(
    contract("delete", `${path}/{composite_id}`, {
      summary: "Archive a composite and its product",
      access: secretKey("catalogue:write"),
      params: oneParams,
      answer: CompositeRecordView,
    }),
    async (c) => {
      const ctx = merchantContext(c);
      const record = await archiveComposite(ctx, c.req.valid("param").composite_id);
      return c.json(answer(viewCompositeRecord(record, ctx.business)), 200);
    },
  );
