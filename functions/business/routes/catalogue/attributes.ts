import { z } from "@hono/zod-openapi";
import {
  archiveAttribute,
  attributeRepo,
  createAttribute,
  updateAttribute,
} from "../../../../shared/catalogue/index.ts";
import { area } from "../../../http/app.ts";
import { secretKey } from "../../../http/authentication/access.ts";
import { answer, contract, json } from "../../../http/contract.ts";
import { id } from "../../../wire/fields.ts";
import { idPosition, Page, pageOf, pageQuery } from "../../../wire/paging.ts";
import { merchantContext } from "../../context.ts";
import {
  AttributeFields,
  NewAttributeFields,
  readAttribute,
  readNewAttribute,
} from "../../requests/catalogue/attribute-fields.ts";
import { AttributeRecordView, viewAttributeRecord } from "../../views/catalogue/attribute.ts";

const path = "/v1/businesses/{business_id}/attributes";
const params = z.object({ business_id: id() });
const oneParams = params.extend({ attribute_id: id() });

export const attributes = area()
  .openapi(
    contract("get", path, {
      summary: "The business's attributes, as they were made",
      access: secretKey("catalogue:read"),
      params,
      query: z.object(pageQuery),
      answer: Page(AttributeRecordView),
    }),
    async (c) => {
      const { limit, cursor } = c.req.valid("query");
      const ctx = merchantContext(c);
      const after = idPosition(cursor);
      const found = await attributeRepo(ctx).list({ limit: limit + 1, after });
      const page = pageOf(found, {
        limit,
        view: viewAttributeRecord,
        position: ({ attribute }) => attribute.id,
      });
      return c.json(answer(page), 200);
    },
  )
  .openapi(
    contract("get", `${path}/{attribute_id}`, {
      summary: "One attribute",
      access: secretKey("catalogue:read"),
      params: oneParams,
      answer: AttributeRecordView,
    }),
    async (c) => {
      const ctx = merchantContext(c);
      const record = await attributeRepo(ctx).get(c.req.valid("param").attribute_id);
      return c.json(answer(viewAttributeRecord(record)), 200);
    },
  )
  .openapi(
    contract("post", path, {
      summary: "Describe a category's or a collection's products by one more attribute",
      access: secretKey("catalogue:write"),
      params,
      body: json(NewAttributeFields),
      answer: AttributeRecordView,
      status: 201,
    }),
    async (c) => {
      const ctx = merchantContext(c);
      const record = await createAttribute(ctx, readNewAttribute(c.req.valid("json")));
      return c.json(answer(viewAttributeRecord(record)), 201);
    },
  )
  .openapi(
    contract("patch", `${path}/{attribute_id}`, {
      summary: "Change an attribute",
      access: secretKey("catalogue:write"),
      params: oneParams,
      body: json(AttributeFields),
      answer: AttributeRecordView,
    }),
    async (c) => {
      const ctx = merchantContext(c);
      const patch = readAttribute(c.req.valid("json"));
      const record = await updateAttribute(ctx, c.req.valid("param").attribute_id, patch);
      return c.json(answer(viewAttributeRecord(record)), 200);
    },
  )
  .openapi(
    contract("delete", `${path}/{attribute_id}`, {
      summary: "Archive an attribute",
      access: secretKey("catalogue:write"),
      params: oneParams,
      answer: AttributeRecordView,
    }),
    async (c) => {
      const ctx = merchantContext(c);
      const record = await archiveAttribute(ctx, c.req.valid("param").attribute_id);
      return c.json(answer(viewAttributeRecord(record)), 200);
    },
  );
