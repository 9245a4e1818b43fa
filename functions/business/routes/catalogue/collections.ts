import { z } from "@hono/zod-openapi";
import {
  archiveCollection,
  collectionRepo,
  createCollection,
  updateCollection,
} from "../../../../shared/catalogue/index.ts";
import { area } from "../../../http/app.ts";
import { secretKey } from "../../../http/authentication/access.ts";
import { answer, contract, json } from "../../../http/contract.ts";
import { id } from "../../../wire/fields.ts";
import { Page, pageOf, pageQuery } from "../../../wire/paging.ts";
import { merchantContext } from "../../context.ts";
import {
  CollectionFields,
  NewCollectionFields,
  readCollection,
  readNewCollection,
} from "../../requests/catalogue/collection-fields.ts";
import { numberPosition, numberPositionOf } from "../../requests/list-position.ts";
import { CollectionRecordView, viewCollectionRecord } from "../../views/catalogue/collection.ts";

const path = "/v1/businesses/{business_id}/collections";
const params = z.object({ business_id: id() });
const oneParams = params.extend({ collection_id: id() });

export const collections = area()
  .openapi(
    contract("get", path, {
      summary: "The business's collections, in the order of display",
      access: secretKey("catalogue:read"),
      params,
      query: z.object(pageQuery),
      answer: Page(CollectionRecordView),
    }),
    async (c) => {
      const { limit, cursor } = c.req.valid("query");
      const last = numberPosition(cursor);
      const after = last && { sortOrder: last.number, id: last.id };
      const found = await collectionRepo(merchantContext(c)).list({ limit: limit + 1, after });
      const page = pageOf(found, {
        limit,
        view: viewCollectionRecord,
        position: ({ collection }) => numberPositionOf(collection.sortOrder, collection.id),
      });
      return c.json(answer(page), 200);
    },
  )
  .openapi(
    contract("get", `${path}/{collection_id}`, {
      summary: "One collection",
      access: secretKey("catalogue:read"),
      params: oneParams,
      answer: CollectionRecordView,
    }),
    async (c) => {
      const found = await collectionRepo(merchantContext(c)).get(
        c.req.valid("param").collection_id,
      );
      return c.json(answer(viewCollectionRecord(found)), 200);
    },
  )
  .openapi(
    contract("post", path, {
      summary: "Put a collection into the catalogue",
      access: secretKey("catalogue:write"),
      params,
      body: json(NewCollectionFields),
      answer: CollectionRecordView,
      status: 201,
    }),
    async (c) => {
      const input = readNewCollection(c.req.valid("json"));
      const created = await createCollection(merchantContext(c), input);
      return c.json(answer(viewCollectionRecord(created)), 201);
    },
  )
  .openapi(
    contract("patch", `${path}/{collection_id}`, {
      summary: "Change a collection",
      access: secretKey("catalogue:write"),
      params: oneParams,
      body: json(CollectionFields),
      answer: CollectionRecordView,
    }),
    async (c) => {
      const patch = readCollection(c.req.valid("json"));
      const changed = await updateCollection(
        merchantContext(c),
        c.req.valid("param").collection_id,
        patch,
      );
      return c.json(answer(viewCollectionRecord(changed)), 200);
    },
  )
  .openapi(
    contract("delete", `${path}/{collection_id}`, {
      summary: "Archive a collection; its products stay",
      access: secretKey("catalogue:write"),
      params: oneParams,
      answer: CollectionRecordView,
    }),
    async (c) => {
      const archived = await archiveCollection(
        merchantContext(c),
        c.req.valid("param").collection_id,
      );
      return c.json(answer(viewCollectionRecord(archived)), 200);
    },
  );
