import { openDb, shardsOf, shopOf } from "../../../shared/database/index.ts";
import { notFound } from "../../../shared/kernel/index.ts";
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
import { loadFileOwner } from "./shard-lookup.ts";

/**
 * Handles `PUT {upload_url}` of any API. The body is the file, and the signed URL is the
 * credential.
 */
export async function receiveUpload(c: RequestContext<FileBindings>): Promise<Response> {
  const { declared, ...file } = await verifyFileUrl(c, "put");
  const length = c.req.header("content-length");
  const refused = await receiveBytes(() => createFileContext(c, file, { isForOwner: false }), {
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
 * The context for the file of a URL. It looks up the shard, because a URL may outlive a move of its
 * business.
 *
 * @param isForOwner whether the file is read at its signed URL: a closed business's files can still
 * be saved there.
 * @throws Refusal NOT_FOUND for an unknown business, and a closed one.
 */
export async function createFileContext(
  c: RequestContext<FileBindings>,
  { businessId }: Pick<FileUrlTarget, "businessId">,
  { isForOwner }: Readonly<{ isForOwner: boolean }>,
): Promise<FileContext> {
  const { shard, status } = await loadFileOwner(c, businessId);
  if (status.type === "closed" && !isForOwner) throw notFound("file");
  const shop = shopOf(shardsOf(c.env, c.get("settings").shopShards), { shard });
  return {
    business: { id: businessId },
    now: runtime.now,
    db: openDb(shop, c.get("meter")),
    files: createFileStore(c.env.FILES),
  };
}
