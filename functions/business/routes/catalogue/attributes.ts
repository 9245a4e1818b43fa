import { z } from "@hono/zod-openapi";
import { merchantCatalogue } from "../../../../shared/catalogue/index.ts";
import { createRoutes } from "../../../http/app.ts";
import { secretKey } from "../../../http/authentication/access.ts";
import { envelope, requireJson, route } from "../../../http/contract.ts";
import { id } from "../../../wire/fields.ts";
import { createPage, Page, pageQuery, parseIdPosition } from "../../../wire/paging.ts";
import { AttributeView, viewAttribute } from "../../../wire/views/catalogue/attribute.ts";
import { createMerchantContext } from "../../context.ts";
import {
  AttributeFields,
  NewAttributeFields,
  toAttributePatch,
  toNewAttribute,
} from "../../requests/catalogue/attribute-fields.ts";

/** An attribute as its merchant sees it, with its category or collection. */
const AttributeRecordView = AttributeView.extend({
  category_id: z.string().nullable(),
  collection_id: z.string().nullable(),
}).openapi("AttributeRecord");
type AttributeRecordView = z.infer<typeof AttributeRecordView>;

const viewAttributeRecord = ({
  attribute,
}: merchantCatalogue.AttributeRecord): AttributeRecordView => ({
  ...viewAttribute(attribute),
  category_id: attribute.owner.categoryId,
  collection_id: attribute.owner.collectionId,
});

const path = "/v1/businesses/{business_id}/attributes";
const params = z.object({ business_id: id() });
const oneParams = params.extend({ attribute_id: id() });

export const attributes = createRoutes()
  .openapi(
    route("get", path, {
      operationId: "listAttributes",
      tag: "Attributes",
      summary: "List attributes, oldest first",
      access: secretKey("catalogue:read"),
      params,
      query: z.object(pageQuery),
      response: Page(AttributeRecordView),
    }),
    async (c) => {
      const { limit, cursor } = c.req.valid("query");
      const ctx = createMerchantContext(c);
      const after = parseIdPosition(cursor);
      const records = await merchantCatalogue.attributeRepo(ctx).list({ limit: limit + 1, after });
      const page = createPage(records, {
        limit,
        view: viewAttributeRecord,
        position: ({ attribute }) => attribute.id,
      });
      return c.json(envelope(page), 200);
    },
  )
  .openapi(
    route("get", `${path}/{attribute_id}`, {
      operationId: "getAttribute",
      tag: "Attributes",
      summary: "Get an attribute",
      access: secretKey("catalogue:read"),
      params: oneParams,
      response: AttributeRecordView,
    }),
    async (c) => {
      const ctx = createMerchantContext(c);
      const record = await merchantCatalogue
        .attributeRepo(ctx)
        .get(c.req.valid("param").attribute_id);
      return c.json(envelope(viewAttributeRecord(record)), 200);
    },
  )
  .openapi(
    route("post", path, {
      operationId: "createAttribute",
      tag: "Attributes",
      summary: "Create an attribute of a category or collection",
      access: secretKey("catalogue:write"),
      params,
      body: requireJson(NewAttributeFields),
      response: AttributeRecordView,
      status: 201,
    }),
    async (c) => {
      const ctx = createMerchantContext(c);
      const record = await merchantCatalogue.createAttribute(
        ctx,
        toNewAttribute(c.req.valid("json")),
      );
      return c.json(envelope(viewAttributeRecord(record)), 201);
    },
  )
  .openapi(
    route("patch", `${path}/{attribute_id}`, {
      operationId: "updateAttribute",
      tag: "Attributes",
      summary: "Update an attribute",
      access: secretKey("catalogue:write"),
      params: oneParams,
      body: requireJson(AttributeFields),
      response: AttributeRecordView,
    }),
    async (c) => {
      const ctx = createMerchantContext(c);
      const patch = toAttributePatch(c.req.valid("json"));
      const record = await merchantCatalogue.updateAttribute(
        ctx,
        c.req.valid("param").attribute_id,
        patch,
      );
      return c.json(envelope(viewAttributeRecord(record)), 200);
    },
  )
  .openapi(
    route("delete", `${path}/{attribute_id}`, {
      operationId: "archiveAttribute",
      tag: "Attributes",
      summary: "Archive an attribute",
      access: secretKey("catalogue:write"),
      params: oneParams,
      response: AttributeRecordView,
    }),
    async (c) => {
      const ctx = createMerchantContext(c);
      const record = await merchantCatalogue.archiveAttribute(
        ctx,
        c.req.valid("param").attribute_id,
      );
      return c.json(envelope(viewAttributeRecord(record)), 200);
    },
  );
