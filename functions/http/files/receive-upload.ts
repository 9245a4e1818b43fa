import { openDb, shardsOf, shopOf } from "../../../shared/database/index.ts";
import {
  demandTaken,
  type FileContext,
  openFiles,
  receiveBytes,
  sendingMayTakeMs,
} from "../../../shared/uploads/index.ts";
import { chance } from "../../runtime/runtime.ts";
import type { RequestContext } from "../api-env.ts";
import { forbidden } from "../errors.ts";
import { type AddressedFile, addressed, type FileBindings } from "./file-urls.ts";
import { shardOf } from "./shard-lookup.ts";

/** `PUT {upload_url}` on any surface: raw bytes, and no key but the address (completions.md 12). */
export async function takeBytes(c: RequestContext<FileBindings>): Promise<Response> {
  const { declared, ...file } = await addressed(c, "put");
  const length = c.req.header("content-length");
  const refused = await receiveBytes(() => fileContext(c, file), {
    uploadId: file.uploadId,
    declared,
    sent: {
      contentType: c.req.header("content-type") ?? null,
      sizeBytes: length === undefined ? null : Number(length),
      bytes: c.req.raw.body,
      signal: AbortSignal.timeout(sendingMayTakeMs),
    },
  });
  if (refused === "gone") throw forbidden("The address has expired.");
  demandTaken(refused);
  const stored = { upload_id: file.uploadId, size_bytes: declared.sizeBytes };
  return c.json({ data: stored }, 200);
}

/**
 * What an address's bearer may reach: rows and bytes of the address's business, wherever that is by
 * now (an address outlives a move).
 *
 * @throws Refusal NOT_FOUND for an unknown business.
 */
export async function fileContext(
  c: RequestContext<FileBindings>,
  { businessId }: Pick<AddressedFile, "businessId">,
): Promise<FileContext> {
  const shard = await shardOf(c, businessId);
  const shop = shopOf(shardsOf(c.env, c.get("settings").shopShards), { shard });
  return {
    business: { id: businessId },
    now: chance.now,
    db: openDb(shop, c.get("meter")),
    files: openFiles(c.env.FILES),
  };
}
