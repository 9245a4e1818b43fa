import { notFound } from "../../../shared/kernel/index.ts";
import { decodePath, findAssetByPath } from "../../../shared/uploads/index.ts";
import { createRoutes } from "../../http/app.ts";
import { createFileContext } from "../../http/files/receive-upload.ts";
import type { StorefrontBindings } from "../env.ts";
import { publicFile, serveFile } from "../files/serve-file.ts";

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
  return serveFile(c, ctx, publicFile(asset));
});

/** The path with its percent-encoding, of which Hono would decode a part. */
const extractEncodedPath = (url: string): string =>
  /\/assets\/[^/]+\/(.*)$/.exec(new URL(url).pathname)?.[1] ?? "";
