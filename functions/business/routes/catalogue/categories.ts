import { z } from "@hono/zod-openapi";
import {
  archiveCategory,
  type CategoryPatch,
  categoryRepo,
  createCategory,
  updateCategory,
} from "../../../../shared/catalogue/index.ts";
import { omitUndefined } from "../../../../shared/kernel/index.ts";
import { area } from "../../../http/app.ts";
import { secretKey } from "../../../http/authentication/access.ts";
import { answer, contract, json } from "../../../http/contract.ts";
import { freeObject, id, name, slug, text, url } from "../../../wire/fields.ts";
import { Page, pageOf, pageQuery } from "../../../wire/paging.ts";
import { merchantContext } from "../../context.ts";
import { numberPosition, numberPositionOf } from "../../requests/list-position.ts";
import { CategoryRecordView, viewCategoryRecord } from "../../views/catalogue/category.ts";

const path = "/v1/businesses/{business_id}/categories";
const params = z.object({ business_id: id() });
const oneParams = params.extend({ category_id: id() });

const CategoryFields = z
  .object({
    name: name(),
    slug: slug().nullable(),
    parent_id: id().nullable(),
    image_url: url().nullable(),
    description: text(20_000),
    sort_order: z.number().int().min(-1_000_000).max(1_000_000),
    metadata: freeObject(),
  })
  .partial();

const NewCategory = CategoryFields.required({ name: true });

const readCategory = (fields: z.infer<typeof CategoryFields>): CategoryPatch => ({
  name: fields.name,
  slug: fields.slug,
  description: fields.description,
  parentId: fields.parent_id,
  imageUrl: fields.image_url,
  sortOrder: fields.sort_order,
  metadata: fields.metadata,
});

const blank = {
  slug: null,
  description: "",
  parentId: null,
  imageUrl: null,
  sortOrder: 0,
  metadata: {},
};

export const categories = area()
  .openapi(
    contract("get", path, {
      summary: "The business's categories, in the order of display",
      access: secretKey("catalogue:read"),
      params,
      query: z.object(pageQuery),
      answer: Page(CategoryRecordView),
    }),
    async (c) => {
      const { limit, cursor } = c.req.valid("query");
      const last = numberPosition(cursor);
      const after = last && { sortOrder: last.number, id: last.id };
      const found = await categoryRepo(merchantContext(c)).list({ limit: limit + 1, after });
      const page = pageOf(found, {
        limit,
        view: viewCategoryRecord,
        position: (category) => numberPositionOf(category.sortOrder, category.id),
      });
      return c.json(answer(page), 200);
    },
  )
  .openapi(
    contract("get", `${path}/{category_id}`, {
      summary: "One category",
      access: secretKey("catalogue:read"),
      params: oneParams,
      answer: CategoryRecordView,
    }),
    async (c) => {
      const { category } = await categoryRepo(merchantContext(c)).get(
        c.req.valid("param").category_id,
      );
      return c.json(answer(viewCategoryRecord(category)), 200);
    },
  )
  .openapi(
    contract("post", path, {
      summary: "Put a category into the catalogue",
      access: secretKey("catalogue:write"),
      params,
      body: json(NewCategory),
      answer: CategoryRecordView,
      status: 201,
    }),
    async (c) => {
      const fields = c.req.valid("json");
      const input = { ...blank, ...omitUndefined(readCategory(fields)), name: fields.name };
      const created = await createCategory(merchantContext(c), input);
      return c.json(answer(viewCategoryRecord(created)), 201);
    },
  )
  .openapi(
    contract("patch", `${path}/{category_id}`, {
      summary: "Change a category",
      access: secretKey("catalogue:write"),
      params: oneParams,
      body: json(CategoryFields),
      answer: CategoryRecordView,
    }),
    async (c) => {
      const patch = readCategory(c.req.valid("json"));
      const changed = await updateCategory(
        merchantContext(c),
        c.req.valid("param").category_id,
        patch,
      );
      return c.json(answer(viewCategoryRecord(changed)), 200);
    },
  )
  .openapi(
    contract("delete", `${path}/{category_id}`, {
      summary: "Archive a category; what is in it moves up to its parent",
      access: secretKey("catalogue:write"),
      params: oneParams,
      answer: CategoryRecordView,
    }),
    async (c) => {
      const archived = await archiveCategory(merchantContext(c), c.req.valid("param").category_id);
      return c.json(answer(viewCategoryRecord(archived)), 200);
    },
  );
