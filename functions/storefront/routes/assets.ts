import { notFound } from "../../../shared/kernel/index.ts";
import { decodePath, findAssetByPath } from "../../../shared/uploads/index.ts";
import { createRoutes } from "../../http/app.ts";
import { createFileContext } from "../../http/files/receive-upload.ts";
import type { StorefrontBindings } from "../env.ts";
import { publicFile, publicFileOnOtherHost, serveFile } from "../files/serve-file.ts";

/**
 * The public URLs of assets, `{cdn_url}/assets/{business_id}/{folder}/{filename}`. They need no API
 * key (docs/contract/storefront.md#public-assets). A deployment may serve them from another host.
 */
export const assets = createRoutes<StorefrontBindings>();

assets.get("/assets/:business_id/*", async (c) => {
  const { business_id: id } = c.req.param();
  const path = decodePath(extractEncodedPath(c.req.url));
  if (path === null) throw notFound("file");
  const ctx = await createFileContext(c, { businessId: id }, { isForOwner: false });
  const asset = await findAssetByPath(ctx.db, { businessId: id, path });
  if (!asset) throw notFound("file");
  const { cdnUrl } = c.get("settings");
  const isOtherHost = cdnUrl !== undefined && new URL(cdnUrl).origin !== new URL(c.req.url).origin;
  return serveFile(c, ctx, isOtherHost ? publicFileOnOtherHost(asset) : publicFile(asset));
});

/** The path with its percent-encoding, of which Hono would decode a part. */
const extractEncodedPath = (url: string): string =>
  /\/assets\/[^/]+\/(.*)$/.exec(new URL(url).pathname)?.[1] ?? "";
