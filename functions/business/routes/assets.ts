import { createRoute, z } from "@hono/zod-openapi";
import { iso, notFound } from "../../../shared/kernel/index.ts";
import {
  type Asset,
  assetRepo,
  confirmAsset,
  createFileStore,
  deleteAsset,
  encodePath,
  listAssets,
  maxAssetBytes,
  reserveAsset,
} from "../../../shared/uploads/index.ts";
import { createRoutes } from "../../http/app.ts";
import { deployKey as access } from "../../http/authentication/access.ts";
import { publicAddressOf, type RequestContext, requireCaller } from "../../http/context.ts";
import { requireJson, unwrappedRoute } from "../../http/contract.ts";
import { createUploadUrl } from "../../http/files/file-urls.ts";
import { receiveUpload } from "../../http/files/receive-upload.ts";

import { id, queryInteger, text } from "../../wire/fields.ts";
import { assetFilename, assetFolder, contentType, sizeBytes } from "../../wire/file-fields.ts";
import { FileView, UploadSlotView, viewFile, viewUploadSlot } from "../../wire/views/file.ts";
import { createMerchantContext } from "../context.ts";
import type { BusinessBindings } from "../env.ts";

const AssetView = FileView.extend({
  folder_path: z.string(),
  created_at: z.string(),
}).openapi("Asset");

const viewAsset = (asset: Asset, url: string): z.infer<typeof AssetView> => ({
  ...viewFile(asset, url),
  folder_path: asset.folderPath,
  created_at: iso(asset.createdAt),
});

const path = "/v1/businesses/{business_id}/assets";
const params = z.object({ business_id: id() });
const assetParams = params.extend({ upload_id: id() });

const NewAsset = z.object({
  folder: assetFolder().default(""),
  filename: assetFilename(),
  content_type: contentType(),
  size_bytes: sizeBytes(1, maxAssetBytes),
});

const maxLimit = 100;

const ListQuery = z.object({
  page: queryInteger(1, 1_000_000).default(1),
  limit: queryInteger(1, 1_000_000_000)
    // Other lists reject a higher limit (docs/contract/business.md#asset-list).
    .transform((limit) => Math.min(limit, maxLimit))
    .default(50),
  folder: text(200).optional(),
  mime_prefix: text(255).optional(),
});

const AssetPage = z.object({
  data: z.object({
    assets: z.array(AssetView),
    pagination: z.object({
      page: z.number().int(),
      limit: z.number().int(),
      total: z.number().int(),
    }),
  }),
});

const deleteRoute = unwrappedRoute("delete", `${path}/{upload_id}`, {
  operationId: "deleteAsset",
  tag: "Assets",
  summary: "Delete an asset",
  description: "Deleting it again succeeds.",
  access,
  params: assetParams,
  response: z.null(),
});

/** Asset calls (docs/contract/business.md#asset-calls). Their responses have no `success` field. */
export const assets = createRoutes<BusinessBindings>()
  .openapi(
    unwrappedRoute("post", `${path}/init`, {
      operationId: "startAssetUpload",
      tag: "Assets",
      summary: "Start an asset upload and get the URL for its content",
      access,
      params,
      body: requireJson(NewAsset),
      response: z.object({ data: UploadSlotView.extend({ public_url_preview: z.string() }) }),
    }),
    async (c) => {
      const { folder, filename, content_type, size_bytes } = c.req.valid("json");
      const ctx = createMerchantContext(c);
      const asset = await reserveAsset(ctx, {
        folder,
        filename,
        contentType: content_type,
        sizeBytes: size_bytes,
      });
      const { business } = ctx;
      const uploadUrl = await createUploadUrl(c, contentPathFor(business.id, asset.id), {
        ...asset,
        businessId: business.id,
      });
      const data = {
        ...viewUploadSlot(asset, uploadUrl),
        public_url_preview: publicUrlFor(c, asset),
      };
      return c.json({ data }, 200);
    },
  )
  .openapi(
    unwrappedRoute("post", `${path}/confirm`, {
      operationId: "confirmAsset",
      tag: "Assets",
      summary: "Publish an asset after its content was sent",
      access,
      errors: ["BAD_REQUEST"],
      params,
      body: requireJson(z.object({ upload_id: id() })),
      response: FileView,
    }),
    async (c) => {
      const { upload_id: uploadId } = c.req.valid("json");
      const ctx = { ...createMerchantContext(c), files: createFileStore(c.env.FILES) };
      const asset = await confirmAsset(ctx, uploadId);
      return c.json(viewFile(asset, publicUrlFor(c, asset)), 200);
    },
  )
  .openapi(
    unwrappedRoute("get", path, {
      operationId: "listAssets",
      tag: "Assets",
      summary: "List public assets, newest first",
      access,
      params,
      query: ListQuery,
      response: AssetPage,
    }),
    async (c) => {
      const { page, limit, folder = null, mime_prefix: mimePrefix = null } = c.req.valid("query");
      const offset = (page - 1) * limit;
      const filter = { folder, mimePrefix };
      const { assets, total } = await listAssets(createMerchantContext(c), filter, {
        limit,
        offset,
      });
      const views = assets.map((asset) => viewAsset(asset, publicUrlFor(c, asset)));
      return c.json({ data: { assets: views, pagination: { page, limit, total } } }, 200);
    },
  )
  .openapi(
    unwrappedRoute("get", `${path}/{upload_id}`, {
      operationId: "getAsset",
      tag: "Assets",
      summary: "Get a public asset",
      access,
      params: assetParams,
      response: AssetView,
    }),
    async (c) => {
      const asset = await assetRepo(createMerchantContext(c)).findPublic(
        c.req.valid("param").upload_id,
      );
      if (!asset) throw notFound("asset");
      return c.json(viewAsset(asset, publicUrlFor(c, asset)), 200);
    },
  )
  .openapi(
    createRoute({
      ...deleteRoute,
      responses: {
        204: { description: deleteRoute.summary },
      },
    }),
    async (c) => {
      await deleteAsset(createMerchantContext(c), c.req.valid("param").upload_id);
      return c.body(null, 204);
    },
  );

assets.put("/v1/businesses/:business_id/assets/:upload_id/content", receiveUpload);

const contentPathFor = (businessId: string, uploadId: string): string =>
  `/v1/businesses/${businessId}/assets/${uploadId}/content`;

/**
 * The asset's public URL. The response to init already contains it, before the upload
 * (docs/contract/business.md#asset-public-url).
 */
function publicUrlFor(c: RequestContext, { path }: Pick<Asset, "path">): string {
  return `${publicAddressOf(c).cdnUrl}/assets/${requireCaller(c).business.id}/${encodePath(path)}`;
}
