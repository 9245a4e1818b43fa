import { createRoute, z } from "@hono/zod-openapi";
import { notFound } from "../../../shared/kernel/index.ts";
import {
  type Asset,
  assetRepo,
  confirmAsset,
  deleteAsset,
  encodedPath,
  listAssets,
  maxAssetBytes,
  openFiles,
  reserveAsset,
} from "../../../shared/uploads/index.ts";
import type { RequestContext } from "../../http/api-env.ts";
import { area } from "../../http/app.ts";
import { deployKey as access } from "../../http/authentication/access.ts";
import { keyed } from "../../http/context.ts";
import { flatContract, json } from "../../http/contract.ts";
import { putAddress } from "../../http/files/file-urls.ts";
import { takeBytes } from "../../http/files/receive-upload.ts";
import { id, queryInteger, text } from "../../wire/fields.ts";
import { assetFilename, assetFolder, contentType, sizeBytes } from "../../wire/file-fields.ts";
import { FileView, PlaceView, viewFile, viewPlace } from "../../wire/views/file.ts";
import { merchantContext } from "../context.ts";
import type { BusinessBindings } from "../env.ts";
import { AssetView, viewAsset } from "../views/asset.ts";

const path = "/v1/businesses/{business_id}/assets";
const params = z.object({ business_id: id() });
const one = params.extend({ upload_id: id() });

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
    .transform((limit) => Math.min(limit, maxLimit)) // "capped", where others refuse (interface.md, Limits)
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

const deletion = flatContract("delete", `${path}/{upload_id}`, {
  summary: "Take an asset away; again, nothing happens",
  access,
  params: one,
  answer: z.null(),
});

/** interface.md, Storefront assets: a deploy key's calls, whose answers have no `success`. */
export const assets = area<BusinessBindings>()
  .openapi(
    flatContract("post", `${path}/init`, {
      summary: "Keep a place for an asset, and get the address that takes its bytes",
      access,
      params,
      body: json(NewAsset),
      answer: z.object({ data: PlaceView.extend({ public_url_preview: z.string() }) }),
    }),
    async (c) => {
      const { folder, filename, content_type, size_bytes } = c.req.valid("json");
      const ctx = merchantContext(c);
      const asset = await reserveAsset(ctx, {
        folder,
        filename,
        contentType: content_type,
        sizeBytes: size_bytes,
      });
      const { business } = ctx;
      const address = await putAddress(c, contentPath(business.id, asset.id), {
        ...asset,
        businessId: business.id,
      });
      const data = { ...viewPlace(asset, address), public_url_preview: publicUrl(c, asset) };
      return c.json({ data }, 200);
    },
  )
  .openapi(
    flatContract("post", `${path}/confirm`, {
      summary: "Make an asset public whose bytes have arrived",
      access,
      params,
      body: json(z.object({ upload_id: id() })),
      answer: FileView,
    }),
    async (c) => {
      const { upload_id: uploadId } = c.req.valid("json");
      const ctx = { ...merchantContext(c), files: openFiles(c.env.FILES) };
      const asset = await confirmAsset(ctx, uploadId);
      return c.json(viewFile(asset, publicUrl(c, asset)), 200);
    },
  )
  .openapi(
    flatContract("get", path, {
      summary: "The public assets, the newest first",
      access,
      params,
      query: ListQuery,
      answer: AssetPage,
    }),
    async (c) => {
      const { page, limit, folder = null, mime_prefix: mimePrefix = null } = c.req.valid("query");
      const offset = (page - 1) * limit;
      const filter = { folder, mimePrefix };
      const { assets, total } = await listAssets(merchantContext(c), filter, { limit, offset });
      const shown = assets.map((asset) => viewAsset(asset, publicUrl(c, asset)));
      return c.json({ data: { assets: shown, pagination: { page, limit, total } } }, 200);
    },
  )
  .openapi(
    flatContract("get", `${path}/{upload_id}`, {
      summary: "One public asset",
      access,
      params: one,
      answer: AssetView,
    }),
    async (c) => {
      const asset = await assetRepo(merchantContext(c)).find(c.req.valid("param").upload_id);
      if (!asset) throw notFound("asset");
      return c.json(viewAsset(asset, publicUrl(c, asset)), 200);
    },
  )
  .openapi(
    createRoute({
      ...deletion,
      responses: {
        204: { description: deletion.summary },
        default: deletion.responses.default,
      },
    }),
    async (c) => {
      await deleteAsset(merchantContext(c), c.req.valid("param").upload_id);
      return c.body(null, 204);
    },
  );

assets.put("/v1/businesses/:business_id/assets/:upload_id/content", takeBytes);

const contentPath = (businessId: string, uploadId: string): string =>
  `/v1/businesses/${businessId}/assets/${uploadId}/content`;

/** completions.md 12: the same from init on. */
function publicUrl(c: RequestContext, { path }: Pick<Asset, "path">): string {
  const cdnUrl = c.get("settings").cdnUrl ?? `${new URL(c.req.url).origin}/cdn`;
  return `${cdnUrl}/assets/${keyed(c).business.id}/${encodedPath(path)}`;
}
