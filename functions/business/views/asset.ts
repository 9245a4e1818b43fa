import { z } from "@hono/zod-openapi";
import { iso } from "../../../shared/kernel/index.ts";
import type { Asset } from "../../../shared/uploads/index.ts";
import { FileView, viewFile } from "../../wire/views/file.ts";

/** interface.md, Storefront asset: a listed one. */
export const AssetView = FileView.extend({
  folder_path: z.string(),
  created_at: z.string(),
}).openapi("Asset");

export const viewAsset = (asset: Asset, url: string): z.infer<typeof AssetView> => ({
  ...viewFile(asset, url),
  folder_path: asset.folderPath,
  created_at: iso(asset.createdAt),
});
