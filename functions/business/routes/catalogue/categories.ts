import { z } from "@hono/zod-openapi";
import { type ListedCategory, merchantCatalogue } from "../../../../shared/catalogue/index.ts";
import { omitUndefined } from "../../../../shared/kernel/index.ts";
import { createRoutes } from "../../../http/app.ts";
import { secretKey } from "../../../http/authentication/access.ts";
import { envelope, requireJson, route } from "../../../http/contract.ts";
import { formatNumberPosition, parseNumberPosition } from "../../../wire/cursor-position.ts";
import { freeObject, id, name, slug, text, url } from "../../../wire/fields.ts";
import { createPage, Page, pageQuery } from "../../../wire/paging.ts";
import { CategoryView, viewCategory } from "../../../wire/views/catalogue/category.ts";
import { createMerchantContext } from "../../context.ts";

/** A category as its merchant sees it, with all of its fields. */
const CategoryRecordView = CategoryView.extend({
  description: z.string(),
  metadata: z.record(z.string(), z.unknown()),
}).openapi("CategoryRecord");
type CategoryRecordView = z.infer<typeof CategoryRecordView>;

const viewCategoryRecord = (category: ListedCategory): CategoryRecordView => ({
  ...viewCategory(category, null),
  description: category.description,
  metadata: category.metadata,
});

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

const NewCategoryBody = CategoryFields.required({ name: true });

const toCategoryPatch = (
  fields: z.infer<typeof CategoryFields>,
): merchantCatalogue.CategoryPatch => ({
  name: fields.name,
  slug: fields.slug,
  description: fields.description,
  parentId: fields.parent_id,
  imageUrl: fields.image_url,
  sortOrder: fields.sort_order,
  metadata: fields.metadata,
});

const categoryDefaults = {
  slug: null,
  description: "",
  parentId: null,
  imageUrl: null,
  sortOrder: 0,
  metadata: {},
};

export const categories = createRoutes()
  .openapi(
    route("get", path, {
      operationId: "listCategories",
      tag: "Categories",
      summary: "List categories in display order",
      access: secretKey("catalogue:read"),
      params,
      query: z.object(pageQuery),
      response: Page(CategoryRecordView),
    }),
    async (c) => {
      const { limit, cursor } = c.req.valid("query");
      const last = parseNumberPosition(cursor);
      const after = last && { sortOrder: last.number, id: last.id };
      const records = await merchantCatalogue
        .categoryRepo(createMerchantContext(c))
        .list({ limit: limit + 1, after });
      const page = createPage(records, {
        limit,
        view: viewCategoryRecord,
        position: (category) => formatNumberPosition(category.sortOrder, category.id),
      });
      return c.json(envelope(page), 200);
    },
  )
  .openapi(
    route("get", `${path}/{category_id}`, {
      operationId: "getCategory",
      tag: "Categories",
      summary: "Get a category",
      access: secretKey("catalogue:read"),
      params: oneParams,
      response: CategoryRecordView,
    }),
    async (c) => {
      const { category } = await merchantCatalogue
        .categoryRepo(createMerchantContext(c))
        .get(c.req.valid("param").category_id);
      return c.json(envelope(viewCategoryRecord(category)), 200);
    },
  )
  .openapi(
    route("post", path, {
      operationId: "createCategory",
      tag: "Categories",
      summary: "Create a category",
      access: secretKey("catalogue:write"),
      rules: ["CATEGORY_CYCLE"],
      params,
      body: requireJson(NewCategoryBody),
      response: CategoryRecordView,
      status: 201,
    }),
    async (c) => {
      const fields = c.req.valid("json");
      const input = {
        ...categoryDefaults,
        ...omitUndefined(toCategoryPatch(fields)),
        name: fields.name,
      };
      const created = await merchantCatalogue.createCategory(createMerchantContext(c), input);
      return c.json(envelope(viewCategoryRecord(created)), 201);
    },
  )
  .openapi(
    route("patch", `${path}/{category_id}`, {
      operationId: "updateCategory",
      tag: "Categories",
      summary: "Update a category",
      access: secretKey("catalogue:write"),
      rules: ["CATEGORY_CYCLE"],
      params: oneParams,
      body: requireJson(CategoryFields),
      response: CategoryRecordView,
    }),
    async (c) => {
      const patch = toCategoryPatch(c.req.valid("json"));
      const changed = await merchantCatalogue.updateCategory(
        createMerchantContext(c),
        c.req.valid("param").category_id,
        patch,
      );
      return c.json(envelope(viewCategoryRecord(changed)), 200);
    },
  )
  .openapi(
    route("delete", `${path}/{category_id}`, {
      operationId: "archiveCategory",
      tag: "Categories",
      summary: "Archive a category",
      description: "Its contents move to its parent.",
      access: secretKey("catalogue:write"),
      params: oneParams,
      response: CategoryRecordView,
    }),
    async (c) => {
      const archived = await merchantCatalogue.archiveCategory(
        createMerchantContext(c),
        c.req.valid("param").category_id,
      );
      return c.json(envelope(viewCategoryRecord(archived)), 200);
    },
  );
