import { z } from "@hono/zod-openapi";
import { second } from "../../../shared/kernel/index.ts";
import { addressLifeMs, type Upload } from "../../../shared/uploads/index.ts";

/** interface.md, Upload: what init answers. */
export const PlaceView = z.object({
  upload_id: z.string(),
  upload_url: z.string(),
  expires_in_secs: z.number().int(),
});

/** interface.md, Upload and Storefront asset: what confirm answers. */
export const FileView = z
  .object({
    id: z.string(),
    url: z.string(),
    filename: z.string(),
    content_type: z.string(),
    size_bytes: z.number().int(),
  })
  .openapi("File");

export const viewPlace = (
  { id }: Pick<Upload, "id">,
  uploadUrl: string,
): z.infer<typeof PlaceView> => ({
  upload_id: id,
  upload_url: uploadUrl,
  expires_in_secs: addressLifeMs / second,
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
