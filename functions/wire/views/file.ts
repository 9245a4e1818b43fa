import { z } from "@hono/zod-openapi";
import { second } from "../../../shared/kernel/index.ts";
import { type Upload, uploadUrlTtlMs } from "../../../shared/uploads/index.ts";

/** The response of init: where to send the content. */
export const UploadSlotView = z.object({
  upload_id: z.string(),
  upload_url: z.string(),
  expires_in_secs: z.number().int(),
});

/** A confirmed upload or asset. */
export const FileView = z
  .object({
    id: z.string(),
    url: z.string(),
    filename: z.string(),
    content_type: z.string(),
    size_bytes: z.number().int(),
  })
  .openapi("File");

export const viewUploadSlot = (
  { id }: Pick<Upload, "id">,
  uploadUrl: string,
): z.infer<typeof UploadSlotView> => ({
  upload_id: id,
  upload_url: uploadUrl,
  expires_in_secs: uploadUrlTtlMs / second,
});

export const viewFile = (
  { id, filename, contentType, sizeBytes }: Upload,
  url: string,
): z.infer<typeof FileView> => ({
  id,
  url,
  filename,
  content_type: contentType,
  size_bytes: sizeBytes,
});
