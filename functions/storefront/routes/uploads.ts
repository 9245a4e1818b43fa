import { z } from "@hono/zod-openapi";
import { hour, notFound } from "../../../shared/kernel/index.ts";
import {
  confirmUpload,
  createFileStore,
  maxUploadBytes,
  reserveUpload,
  uploadRepo,
} from "../../../shared/uploads/index.ts";
import { createRoutes } from "../../http/app.ts";
import { publishableKey as access } from "../../http/authentication/access.ts";
import { createContext, type RequestContext, requireKey } from "../../http/context.ts";
import { requireJson, unwrappedRoute } from "../../http/contract.ts";
import { createDownloadUrl, createUploadUrl, verifyFileUrl } from "../../http/files/file-urls.ts";
import { createFileContext, receiveUpload } from "../../http/files/receive-upload.ts";
import { readIdempotencyKey } from "../../http/idempotency/idempotency-key.ts";
import type { Limit } from "../../http/rate-limits/limit-state.ts";
import { assertWithinLimit, callerNetwork } from "../../http/rate-limits/rate-limit.ts";
import { runtime } from "../../runtime/runtime.ts";
import { id } from "../../wire/fields.ts";
import { contentType, filename, sizeBytes } from "../../wire/file-fields.ts";
import { FileView, UploadSlotView, viewFile, viewUploadSlot } from "../../wire/views/file.ts";
import { callExistingSession, sendSession } from "../caller-session.ts";
import type { StorefrontBindings } from "../env.ts";
import { privateFile, serveFile } from "../files/serve-file.ts";
import { storeBySession } from "../response-stores.ts";
import { uploadOwnerOf } from "../session-id.ts";

const NewUploadBody = z.object({
  filename: filename(),
  content_type: contentType(),
  size_bytes: sizeBytes(0, maxUploadBytes),
});

/** The calls with which a shopper uploads files (docs/contract/storefront.md#uploads). */
export const uploads = createRoutes<StorefrontBindings>()
  .openapi(
    unwrappedRoute("post", "/uploads/init", {
      operationId: "startUpload",
      tag: "Uploads",
      summary: "Start an upload and get the URL for its content",
      access,
      session: "starts",
      body: requireJson(NewUploadBody),
      response: z.object({ data: UploadSlotView }),
      idempotency: { store: "domain" },
    }),
    async (c) => {
      const { filename, content_type: contentType, size_bytes: sizeBytes } = c.req.valid("json");
      await assertWithinLimit(c, uploadLimitOfAddress(c));
      const session = (await callExistingSession(c, "getLogin", null))?.session ?? null;
      const owner = session ? uploadOwnerOf(session) : runtime.newId("ses");
      const { upload, isReplay } = await reserveUpload(
        createContext(c, anonymous),
        { filename, contentType, sizeBytes, sessionId: owner },
        readIdempotencyKey(c),
      );
      if (session === null) await sendSession(c, { id: owner, generation: 0, ownedSince: 0 });
      if (isReplay) c.header("Idempotency-Replayed", "true");
      const { business } = requireKey(c);
      const uploadUrl = await createUploadUrl(c, contentPath(upload.id), {
        ...upload,
        businessId: business.id,
      });
      return c.json({ data: viewUploadSlot(upload, uploadUrl) }, 200);
    },
  )
  .openapi(
    unwrappedRoute("post", "/uploads/confirm", {
      operationId: "confirmUpload",
      tag: "Uploads",
      summary: "Confirm an upload after its content was sent",
      access,
      session: "required",
      errors: ["BAD_REQUEST"],
      body: requireJson(z.object({ upload_id: id() })),
      response: z.object({ data: FileView }),
      idempotency: { store: storeBySession },
    }),
    async (c) => {
      const { upload_id: uploadId } = c.req.valid("json");
      const existing = await callExistingSession(c, "getLogin", null);
      if (existing === null) throw notFound("upload");
      const ctx = { ...createContext(c, anonymous), files: createFileStore(c.env.FILES) };
      const upload = await confirmUpload(ctx, {
        uploadId,
        sessionId: uploadOwnerOf(existing.session),
        login: existing.result,
      });
      const { business } = ctx;
      const downloadUrl = await createDownloadUrl(c, contentPath(uploadId), {
        uploadId,
        businessId: business.id,
      });
      return c.json({ data: viewFile(upload, downloadUrl) }, 200);
    },
  );

const anonymous = { type: "anonymous" } as const;

/**
 * The path of a file's content. Uploads and downloads share the path; the token in the URL allows
 * only one of them.
 */
const contentPath = (uploadId: string): string => `/api/v1/uploads/${uploadId}/content`;

uploads.put("/uploads/:upload_id/content", receiveUpload);

uploads.get("/uploads/:upload_id/content", async (c) => {
  const file = await verifyFileUrl(c, "get");
  const ctx = await createFileContext(c, file, { isForOwner: true });
  const upload = await uploadRepo(ctx).findConfirmed(file.uploadId);
  if (!upload) throw notFound("file");
  return serveFile(c, ctx, privateFile(upload));
});

/** Uploads are limited by client address, because a caller can start any number of sessions. */
const uploadLimitOfAddress = (c: RequestContext): Limit => ({
  name: `uploads:${requireKey(c).business.id}:${callerNetwork(c)}`,
  limit: c.get("settings").uploadsPerHourPerAddress,
  windowMs: hour,
});
