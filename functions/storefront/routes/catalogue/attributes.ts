import { z } from "@hono/zod-openapi";
import { storefrontCatalogue } from "../../../../shared/catalogue/index.ts";
import { notFound } from "../../../../shared/kernel/index.ts";
import { createRoutes } from "../../../http/app.ts";
import { publishableKey } from "../../../http/authentication/access.ts";
import { route } from "../../../http/contract.ts";
import { id, idOrSlug } from "../../../wire/fields.ts";
import { AttributeView, viewAttribute } from "../../../wire/views/catalogue/attribute.ts";
import { respondCached } from "../../cache/cached-responses.ts";

const access = publishableKey;

export const catalogueAttributes = createRoutes()
  .openapi(
    route("get", "/catalogue/categories/{category_id}/attributes", {
      operationId: "listCategoryAttributes",
      tag: "Categories",
      summary: "List a category's attributes",
      access,
      hasEntityTag: true,
      params: z.object({ category_id: id() }),
      response: z.array(AttributeView),
    }),
    (c) =>
      respondCached(c, async (reader) => {
        const { category_id } = c.req.valid("param");
        const { version, data } = await storefrontCatalogue.listCategoryAttributes(
          reader,
          category_id,
        );
        if (!data) throw notFound("category");
        return { version, data: data.map(viewAttribute) };
      }),
  )
  .openapi(
    route("get", "/catalogue/collections/{collection_id}/attributes", {
      operationId: "listCollectionAttributes",
      tag: "Collections",
      summary: "List a collection's attributes",
      access,
      hasEntityTag: true,
      params: z.object({ collection_id: idOrSlug() }),
      response: z.array(AttributeView),
    }),
    (c) =>
      respondCached(c, async (reader) => {
        const { collection_id } = c.req.valid("param");
        const { version, data } = await storefrontCatalogue.listCollectionAttributes(
          reader,
          collection_id,
        );
        if (!data) throw notFound("collection");
        return { version, data: data.map(viewAttribute) };
      }),
  );
