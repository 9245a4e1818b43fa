import { z } from "@hono/zod-openapi";
import { merchantCatalogue } from "../../../../shared/catalogue/index.ts";
import { createRoutes } from "../../../http/app.ts";
import { secretKey } from "../../../http/authentication/access.ts";
import { envelope, requireJson, route } from "../../../http/contract.ts";
import { formatNumberPosition, parseNumberPosition } from "../../../wire/cursor-position.ts";
import { id } from "../../../wire/fields.ts";
import { createPage, Page, pageQuery } from "../../../wire/paging.ts";
import { createMerchantContext } from "../../context.ts";
import {
  CollectionFields,
  NewCollectionFields,
  toCollectionPatch,
  toNewCollection,
} from "../../requests/catalogue/collection-fields.ts";
import { CollectionRecordView, viewCollectionRecord } from "../../views/catalogue/collection.ts";

const path = "/v1/businesses/{business_id}/collections";
const params = z.object({ business_id: id() });
const oneParams = params.extend({ collection_id: id() });

export const collections = createRoutes()
  .openapi(
    route("get", path, {
      operationId: "listCollections",
      tag: "Collections",
      summary: "List collections in display order",
      access: secretKey("catalogue:read"),
      params,
      query: z.object(pageQuery),
      response: Page(CollectionRecordView),
    }),
    async (c) => {
      const { limit, cursor } = c.req.valid("query");
      const last = parseNumberPosition(cursor);
      const after = last && { sortOrder: last.number, id: last.id };
      const records = await merchantCatalogue
        .collectionRepo(createMerchantContext(c))
        .list({ limit: limit + 1, after });
      const page = createPage(records, {
        limit,
        view: viewCollectionRecord,
        position: ({ collection }) => formatNumberPosition(collection.sortOrder, collection.id),
      });
      return c.json(envelope(page), 200);
    },
  )
  .openapi(
    route("get", `${path}/{collection_id}`, {
      operationId: "getCollection",
      tag: "Collections",
      summary: "Get a collection",
      access: secretKey("catalogue:read"),
      params: oneParams,
      response: CollectionRecordView,
    }),
    async (c) => {
      const record = await merchantCatalogue
        .collectionRepo(createMerchantContext(c))
        .get(c.req.valid("param").collection_id);
      return c.json(envelope(viewCollectionRecord(record)), 200);
    },
  )
  .openapi(
    route("post", path, {
      operationId: "createCollection",
      tag: "Collections",
      summary: "Create a collection",
      access: secretKey("catalogue:write"),
      params,
      body: requireJson(NewCollectionFields),
      response: CollectionRecordView,
      status: 201,
    }),
    async (c) => {
      const input = toNewCollection(c.req.valid("json"));
      const created = await merchantCatalogue.createCollection(createMerchantContext(c), input);
      return c.json(envelope(viewCollectionRecord(created)), 201);
    },
  )
  .openapi(
    route("patch", `${path}/{collection_id}`, {
      operationId: "updateCollection",
      tag: "Collections",
      summary: "Update a collection",
      access: secretKey("catalogue:write"),
      params: oneParams,
      body: requireJson(CollectionFields),
      response: CollectionRecordView,
    }),
    async (c) => {
      const patch = toCollectionPatch(c.req.valid("json"));
      const changed = await merchantCatalogue.updateCollection(
        createMerchantContext(c),
        c.req.valid("param").collection_id,
        patch,
      );
      return c.json(envelope(viewCollectionRecord(changed)), 200);
    },
  )
  .openapi(
    route("delete", `${path}/{collection_id}`, {
      operationId: "archiveCollection",
      tag: "Collections",
      summary: "Archive a collection",
      description: "Its products stay.",
      access: secretKey("catalogue:write"),
      params: oneParams,
      response: CollectionRecordView,
    }),
    async (c) => {
      const archived = await merchantCatalogue.archiveCollection(
        createMerchantContext(c),
        c.req.valid("param").collection_id,
      );
      return c.json(envelope(viewCollectionRecord(archived)), 200);
    },
  );
