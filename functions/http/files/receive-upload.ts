import { openDb, shardsOf, shopOf } from "../../../shared/database/index.ts";
import {
  assertBytesAccepted,
  createFileStore,
  type FileContext,
  maxTransferMs,
  receiveBytes,
} from "../../../shared/uploads/index.ts";
import { runtime } from "../../runtime/runtime.ts";
import type { RequestContext } from "../context.ts";
import { forbidden } from "../errors.ts";
import { type FileBindings, type FileUrlTarget, verifyFileUrl } from "./file-urls.ts";
import { loadShard } from "./shard-lookup.ts";

/**
 * Handles `PUT {upload_url}` of any API. The body is the file, and the signed URL is the
 * credential.
 */
export async function receiveUpload(c: RequestContext<FileBindings>): Promise<Response> {
  const { declared, ...file } = await verifyFileUrl(c, "put");
  const length = c.req.header("content-length");
  const refused = await receiveBytes(() => createFileContext(c, file), {
    uploadId: file.uploadId,
    declared,
    sent: {
      contentType: c.req.header("content-type") ?? null,
      sizeBytes: length === undefined ? null : Number(length),
      bytes: c.req.raw.body,
      signal: AbortSignal.timeout(maxTransferMs),
    },
  });
  if (refused === "gone") throw forbidden("The address has expired.");
  assertBytesAccepted(refused);
  const stored = { upload_id: file.uploadId, size_bytes: declared.sizeBytes };
  return c.json({ data: stored }, 200);
}

/**
 * The context for the file of a signed URL. The URL does not name the shard, because the business
 * may move to another shard while the URL is valid.
 *
 * @throws Refusal NOT_FOUND for an unknown business.
 */
export async function createFileContext(
  c: RequestContext<FileBindings>,
  { businessId }: Pick<FileUrlTarget, "businessId">,
): Promise<FileContext> {
  const shard = await loadShard(c, businessId);
  const shop = shopOf(shardsOf(c.env, c.get("settings").shopShards), { shard });
  return {
    business: { id: businessId },
    now: runtime.now,
    db: openDb(shop, c.get("meter")),
    files: createFileStore(c.env.FILES),
  };
}
