import { z } from "@hono/zod-openapi";
import { hour, notFound } from "../../../shared/kernel/index.ts";
import {
  confirmUpload,
  maxUploadBytes,
  openFiles,
  type RepeatKey,
  reserveUpload,
  uploadRepo,
} from "../../../shared/uploads/index.ts";
import type { RequestContext } from "../../http/api-env.ts";
import { area } from "../../http/app.ts";
import { publishableKey as access } from "../../http/authentication/access.ts";
import { sendCookie } from "../../http/authentication/session-cookie.ts";
import { contextOf, keyed } from "../../http/context.ts";
import { flatContract, json } from "../../http/contract.ts";
import { addressed, getAddress, putAddress } from "../../http/files/file-urls.ts";
import { fileContext, takeBytes } from "../../http/files/receive-upload.ts";
import { idempotencyKeyOf } from "../../http/idempotency/key.ts";
import type { Limit } from "../../http/rate-limits/lease-holder.ts";
import { demandRoom, networkOfCaller } from "../../http/rate-limits/rate-limit.ts";
import { chance } from "../../runtime/runtime.ts";
import { id } from "../../wire/fields.ts";
import { contentType, filename, sizeBytes } from "../../wire/file-fields.ts";
import { FileView, PlaceView, viewFile, viewPlace } from "../../wire/views/file.ts";
import type { StorefrontBindings } from "../env.ts";
import { privateFile, serveFile } from "../files/serve-file.ts";
import { askKnown } from "../session-call.ts";
import { uploadOwner } from "../upload-owner.ts";
import { answersOfSession } from "../views/order-answers.ts";

const NewUpload = z.object({
  filename: filename(),
  content_type: contentType(),
  size_bytes: sizeBytes(0, maxUploadBytes),
});

/** interface.md, Uploads. */
export const uploads = area<StorefrontBindings>()
  .openapi(
    flatContract("post", "/uploads/init", {
      summary: "Keep a place for a file, and get the address that takes its bytes",
      access,
      body: json(NewUpload),
      answer: z.object({ data: PlaceView }),
      answersOf: "itself",
    }),
    async (c) => {
      const { filename, content_type: contentType, size_bytes: sizeBytes } = c.req.valid("json");
      await demandRoom(c, placesOfAddress(c));
      const session = (await askKnown(c, "login"))?.session ?? null;
      const owner = session ? uploadOwner(session) : chance.newId("ses");
      const { upload, sessionId, isReplay } = await reserveUpload(
        contextOf(c, anonymous),
        { filename, contentType, sizeBytes, sessionId: owner },
        repeatKeyOf(c, owner, session !== null),
      );
      if (session === null) await sendCookie(c, { id: sessionId, generation: 0, ownedSince: 0 });
      if (isReplay) c.header("Idempotency-Replayed", "true");
      const { business } = keyed(c);
      const address = await putAddress(c, contentPath(upload.id), {
        ...upload,
        businessId: business.id,
      });
      return c.json({ data: viewPlace(upload, address) }, 200);
    },
  )
  .openapi(
    flatContract("post", "/uploads/confirm", {
      summary: "Finish an upload whose bytes have arrived",
      access,
      body: json(z.object({ upload_id: id() })),
      answer: z.object({ data: FileView }),
      answersOf: answersOfSession,
    }),
    async (c) => {
      const { upload_id: uploadId } = c.req.valid("json");
      const known = await askKnown(c, "login");
      if (known === null) throw notFound("upload");
      const ctx = { ...contextOf(c, anonymous), files: openFiles(c.env.FILES) };
      const upload = await confirmUpload(ctx, {
        uploadId,
        sessionId: uploadOwner(known.session),
        login: known.answer,
      });
      const { business } = ctx;
      const address = await getAddress(c, contentPath(uploadId), {
        uploadId,
        businessId: business.id,
      });
      return c.json({ data: viewFile(upload, address) }, 200);
    },
  );

const anonymous = { type: "anonymous" } as const;

/** Bytes come and go at one path; the address's token says which. */
const contentPath = (uploadId: string): string => `/api/v1/uploads/${uploadId}/content`;

uploads.put("/uploads/:upload_id/content", takeBytes);

uploads.get("/uploads/:upload_id/content", async (c) => {
  const file = await addressed(c, "get");
  const ctx = await fileContext(c, file);
  const upload = await uploadRepo(ctx).findPrivate(file.uploadId);
  if (!upload) throw notFound("file");
  return serveFile(c, ctx, privateFile(upload));
});

/** A session costs a stranger nothing; how many places they may ask for is their address's. */
const placesOfAddress = (c: RequestContext): Limit => ({
  name: `uploads:${keyed(c).business.id}:${networkOfCaller(c)}`,
  limit: c.get("settings").uploadsPerHourPerAddress,
  windowMs: hour,
});

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/**
 * A key is its session's. Whoever has none yet may have lost the answer that brought it: a UUID, as
 * interface.md wants the key to be, nobody else can know, so that it gets them the same place and
 * session again. With a key that could be guessed they begin anew.
 */
function repeatKeyOf(
  c: RequestContext<StorefrontBindings>,
  owner: string,
  isKnown: boolean,
): RepeatKey | null {
  const key = idempotencyKeyOf(c);
  if (key === null) return null;
  const stranger = keyed(c).key.id;
  if (isKnown) return { caller: owner, key, firstCaller: stranger };
  return { caller: uuid.test(key) ? stranger : owner, key, firstCaller: null };
}
