import { jwtVerify, SignJWT } from "jose";
import { second } from "../../../shared/kernel/index.ts";
import { type DeclaredFile, downloadLifeMs, type Upload } from "../../../shared/uploads/index.ts";
import { chance } from "../../runtime/runtime.ts";
import { secretFor } from "../../runtime/secrets.ts";
import type { Settings } from "../../runtime/settings.ts";
import type { RequestContext, SurfaceBindings } from "../api-env.ts";
import { keyed } from "../context.ts";
import { forbidden } from "../errors.ts";
import { rememberShard } from "./shard-lookup.ts";

/** What a surface that handles files is bound to besides. */
export type FileBindings = SurfaceBindings & Readonly<{ FILES: R2Bucket }>;

type Signing = Pick<Settings, "sessionSecret">;
type Use = "put" | "get";

/** Whose file an address is of. */
export type AddressedFile = Readonly<{ uploadId: string; businessId: string }>;

/** An address that takes a file's bytes, with what was declared of them: every time the same for one upload. */
export async function putAddress(
  c: RequestContext,
  path: string,
  upload: Upload & Pick<AddressedFile, "businessId">,
): Promise<string> {
  rememberShard(keyed(c).business);
  const { id, businessId, contentType, sizeBytes, expiresAt } = upload;
  const token = await signed(c.get("settings"), "put", {
    uploadId: id,
    businessId,
    expiresAt,
    more: { type: contentType, size: sizeBytes },
  });
  return addressOf(c, path, token);
}

/** An address that gives a private file to whoever has it, for 7 days (completions.md 12). */
export async function getAddress(
  c: RequestContext,
  path: string,
  file: AddressedFile,
): Promise<string> {
  rememberShard(keyed(c).business);
  const expiresAt = chance.now() + downloadLifeMs;
  return addressOf(
    c,
    path,
    await signed(c.get("settings"), "get", { ...file, expiresAt, more: {} }),
  );
}

/**
 * What the address of a call was signed for.
 *
 * @throws Refusal FORBIDDEN for one that has run out, and for one that we never made.
 */
export async function addressed(
  c: RequestContext,
  use: Use,
): Promise<AddressedFile & Readonly<{ declared: Omit<DeclaredFile, "filename"> }>> {
  const { uploadId, token } = { uploadId: c.req.param("upload_id"), token: c.req.query("token") };
  try {
    const { payload } = await jwtVerify(token ?? "", await secretOf(c.get("settings")), {
      algorithms: ["HS256"],
      audience: use,
      subject: uploadId ?? "",
      requiredClaims: ["exp"],
      currentDate: new Date(chance.now()),
    });
    const { sub, biz, type, size } = payload;
    return {
      uploadId: String(sub),
      businessId: String(biz),
      declared: { contentType: String(type), sizeBytes: Number(size) },
    };
  } catch {
    // What is wrong with it is not for its bearer to know.
    throw forbidden("The address has expired, or is none of this service.");
  }
}

const addressOf = (c: RequestContext, path: string, token: string): string =>
  `${new URL(c.req.url).origin}${path}?token=${token}`;

async function signed(
  settings: Signing,
  use: Use,
  {
    uploadId,
    businessId,
    expiresAt,
    more,
  }: AddressedFile & Readonly<{ expiresAt: number; more: Readonly<Record<string, unknown>> }>,
): Promise<string> {
  return new SignJWT({ ...more, biz: businessId })
    .setProtectedHeader({ alg: "HS256" })
    .setAudience(use)
    .setSubject(uploadId)
    .setExpirationTime(Math.ceil(expiresAt / second))
    .sign(await secretOf(settings));
}

const secretOf = async (settings: Signing): Promise<Uint8Array> =>
  new TextEncoder().encode(await secretFor(settings, "file addresses"));
