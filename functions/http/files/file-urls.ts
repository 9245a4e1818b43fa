import { jwtVerify, SignJWT } from "jose";
import { second } from "../../../shared/kernel/index.ts";
import { type DeclaredFile, downloadUrlTtlMs, type Upload } from "../../../shared/uploads/index.ts";
import type { ApiBindings } from "../../runtime/bindings.ts";
import { runtime } from "../../runtime/runtime.ts";
import { deriveSecret } from "../../runtime/secrets.ts";
import type { Settings } from "../../runtime/settings.ts";
import { type RequestContext, requireCaller } from "../context.ts";
import { forbidden } from "../errors.ts";
import { cacheShard } from "./shard-lookup.ts";

/** The bindings of an API that handles files. */
export type FileBindings = ApiBindings & Readonly<{ FILES: R2Bucket }>;

type UrlSigningSettings = Pick<Settings, "sessionSecret">;
type FileUrlPurpose = "put" | "get";

/** The file to which a signed URL gives access. */
export type FileUrlTarget = Readonly<{ uploadId: string; businessId: string }>;

/**
 * A signed URL for uploading the declared bytes of a file. Repeated calls for one upload return the
 * same URL.
 */
export async function createUploadUrl(
  c: RequestContext,
  path: string,
  upload: Upload & Pick<FileUrlTarget, "businessId">,
): Promise<string> {
  cacheShard(requireCaller(c).business);
  const { id, businessId, contentType, sizeBytes, expiresAt } = upload;
  const token = await signFileToken(c.get("settings"), "put", {
    uploadId: id,
    businessId,
    expiresAt,
    more: { type: contentType, size: sizeBytes },
  });
  return fileUrl(c, path, token);
}

/** A signed URL that downloads a private file, valid for 7 days. */
export async function createDownloadUrl(
  c: RequestContext,
  path: string,
  file: FileUrlTarget,
): Promise<string> {
  cacheShard(requireCaller(c).business);
  const expiresAt = runtime.now() + downloadUrlTtlMs;
  return fileUrl(
    c,
    path,
    await signFileToken(c.get("settings"), "get", { ...file, expiresAt, more: {} }),
  );
}

/**
 * Verifies the signed URL of the current request and returns what it was signed for.
 *
 * @throws Refusal FORBIDDEN for an expired or forged URL.
 */
export async function verifyFileUrl(
  c: RequestContext,
  use: FileUrlPurpose,
): Promise<FileUrlTarget & Readonly<{ declared: Omit<DeclaredFile, "filename"> }>> {
  const { uploadId, token } = { uploadId: c.req.param("upload_id"), token: c.req.query("token") };
  try {
    const { payload } = await jwtVerify(token ?? "", await loadSigningSecret(c.get("settings")), {
      algorithms: ["HS256"],
      audience: use,
      subject: uploadId ?? "",
      requiredClaims: ["exp"],
      currentDate: new Date(runtime.now()),
    });
    const { sub, biz, type, size } = payload;
    return {
      uploadId: String(sub),
      businessId: String(biz),
      declared: { contentType: String(type), sizeBytes: Number(size) },
    };
  } catch {
    // The caller does not learn which check failed, because that would help to forge a URL.
    throw forbidden("The address has expired, or is none of this service.");
  }
}

const fileUrl = (c: RequestContext, path: string, token: string): string =>
  `${new URL(c.req.url).origin}${path}?token=${token}`;

async function signFileToken(
  settings: UrlSigningSettings,
  use: FileUrlPurpose,
  {
    uploadId,
    businessId,
    expiresAt,
    more,
  }: FileUrlTarget & Readonly<{ expiresAt: number; more: Readonly<Record<string, unknown>> }>,
): Promise<string> {
  return new SignJWT({ ...more, biz: businessId })
    .setProtectedHeader({ alg: "HS256" })
    .setAudience(use)
    .setSubject(uploadId)
    .setExpirationTime(Math.ceil(expiresAt / second))
    .sign(await loadSigningSecret(settings));
}

const loadSigningSecret = async (settings: UrlSigningSettings): Promise<Uint8Array> =>
  new TextEncoder().encode(await deriveSecret(settings, "file addresses"));
