import { z } from "@hono/zod-openapi";
import { attributeListingRepo } from "../../../../shared/catalogue/index.ts";
import { notFound } from "../../../../shared/kernel/index.ts";
import { area } from "../../../http/app.ts";
import { publishableKey } from "../../../http/authentication/access.ts";
import { contract } from "../../../http/contract.ts";
import { id, idOrSlug } from "../../../wire/fields.ts";
import { AttributeView, viewAttribute } from "../../../wire/views/catalogue/attribute.ts";
import { cachedRead } from "../../cached-read.ts";

const access = publishableKey;

export const catalogueAttributes = area()
  .openapi(
    contract("get", "/catalogue/categories/{category_id}/attributes", {
      summary: "What a category's products are described by",
      access,
      params: z.object({ category_id: id() }),
      answer: z.array(AttributeView),
    }),
    (c) =>
      cachedRead(c, async (reader) => {
        const { category_id } = c.req.valid("param");
        const { version, data } = await attributeListingRepo(reader).ofCategory(category_id);
        if (!data) throw notFound("category");
        return { version, data: data.map(viewAttribute) };
      }),
  )
  .openapi(
    contract("get", "/catalogue/collections/{collection_id}/attributes", {
      summary: "What a collection's products are described by",
      access,
      params: z.object({ collection_id: idOrSlug() }),
      answer: z.array(AttributeView),
    }),
    (c) =>
      cachedRead(c, async (reader) => {
        const { collection_id } = c.req.valid("param");
        const { version, data } = await attributeListingRepo(reader).ofCollection(collection_id);
        if (!data) throw notFound("collection");
        return { version, data: data.map(viewAttribute) };
      }),
  );
