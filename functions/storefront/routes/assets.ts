import { notFound } from "../../../shared/kernel/index.ts";
import { decodedPath, findAssetAt } from "../../../shared/uploads/index.ts";
import { area } from "../../http/app.ts";
import { fileContext } from "../../http/files/receive-upload.ts";
import type { StorefrontBindings } from "../env.ts";
import { publicFile, serveFile } from "../files/serve-file.ts";

/**
 * The public content address (completions.md 12): `{cdn_url}/assets/{business_id}/{folder}/{filename}`,
 * without a key. A deployment may give it a host of its own.
 */
export const assets = area<StorefrontBindings>();

assets.get("/assets/:business_id/*", async (c) => {
  const { business_id: id } = c.req.param();
  const path = decodedPath(encodedPathIn(c.req.url));
  if (path === null) throw notFound("file");
  const ctx = await fileContext(c, { businessId: id });
  const asset = await findAssetAt(ctx.db, { businessId: id, path });
  if (!asset) throw notFound("file");
  return serveFile(c, ctx, publicFile(asset));
});

/** As it was sent: Hono would have decoded some of it. */
const encodedPathIn = (url: string): string =>
  /\/assets\/[^/]+\/(.*)$/.exec(new URL(url).pathname)?.[1] ?? "";
