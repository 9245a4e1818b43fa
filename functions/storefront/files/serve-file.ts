import { invalid, minute, notFound, second } from "../../../shared/kernel/index.ts";
import {
  type ByteRange,
  type FileContext,
  isSafeToDisplayInline,
  objectKey,
  parseByteRange,
  servedMediaType,
  type Upload,
} from "../../../shared/uploads/index.ts";
import { respondWithRefusal } from "../../http/errors.ts";
import type { StorefrontContext } from "../env.ts";
import { evaluateConditions } from "./conditional-request.ts";

/** A file to serve, with all response headers except Content-Type and ETag. */
export type ServedFile = Readonly<{
  upload: Upload;
  headers: Readonly<Record<string, string>>;
}>;

/**
 * A file uploaded by a shopper. Everyone who has the URL may read the file, so shared caches must
 * not store it.
 */
export const privateFile = (upload: Upload): ServedFile => ({
  upload,
  headers: {
    "Cache-Control": "private, no-cache",
    "Content-Disposition": contentDisposition(upload),
    // The URL is the only protection of the file, so it must not be sent as a referrer.
    "Referrer-Policy": "no-referrer",
  },
});

/** How long caches may keep an asset. A replaced asset may be served for as long. */
const assetMaxAgeMs = minute;

/** A public asset of a storefront, which any page may embed. */
export const publicFile = (upload: Upload): ServedFile => ({
  upload,
  headers: {
    "Cache-Control": `public, max-age=${assetMaxAgeMs / second}`,
    "Cross-Origin-Resource-Policy": "cross-origin",
  },
});

/**
 * A public asset that is requested from the API's host although assets have a host of their own. No
 * file that a merchant uploaded may run as a page of this host.
 */
export const publicFileOnOtherHost = (upload: Upload): ServedFile => {
  const { headers } = publicFile(upload);
  return {
    upload,
    headers: { ...headers, "Content-Security-Policy": "sandbox; default-src 'none'" },
  };
};

/**
 * Responds with a file or a range of it, or with 304, 412 or 416 (RFC 9110, 13 and 14). Scripts in
 * a file must not run: browsers may not guess its type, and files that may contain scripts are
 * sandboxed.
 */
export async function serveFile(
  c: StorefrontContext,
  { business, files }: Pick<FileContext, "business" | "files">,
  { upload, headers: ownHeaders }: ServedFile,
): Promise<Response> {
  const { contentType, sizeBytes, receivedAttempt, etag } = upload;
  if (receivedAttempt === null || etag === null) throw notFound("file");
  const cacheHeaders = { ...ownHeaders, ETag: etag };
  const modifiedAt = upload.confirmedAt ?? upload.createdAt;
  const condition = evaluateConditions(c, { etag, modifiedAt });
  if (condition === "not_modified")
    return new Response(null, { status: 304, headers: cacheHeaders });
  if (condition === "precondition_failed")
    return respondWithRefusal(c, fileChangedRefusal(c).toData(), 412);
  const isHead = c.req.raw.method === "HEAD"; // HEAD ignores ranges (RFC 9110, 14.2)
  const range =
    isHead || isDifferentVersion(c.req.header("if-range"), etag)
      ? null
      : parseByteRange(c.req.header("range"), sizeBytes);
  if (range === "unsatisfiable") {
    c.header("Content-Range", `bytes */${sizeBytes}`);
    const refusal = invalid("range", "must start before the end of the file");
    return respondWithRefusal(c, refusal.toData(), 416);
  }
  const { offset, length } = range ?? { offset: 0, length: sizeBytes };
  const key = objectKey(business, upload, receivedAttempt);
  const body = isHead || length === 0 ? null : await openBytes(files, key, { offset, length });
  return new Response(body, {
    status: range === null ? 200 : 206,
    headers: {
      ...contentHeaders(servedMediaType(contentType)),
      ...cacheHeaders,
      "Last-Modified": new Date(modifiedAt).toUTCString(),
      "Content-Length": String(length),
      ...(range !== null && { "Content-Range": contentRange(range, sizeBytes) }),
    },
  });
}

const contentHeaders = (contentType: string): Record<string, string> => ({
  "Content-Type": contentType,
  "Accept-Ranges": "bytes",
  "X-Content-Type-Options": "nosniff",
  ...(!isSafeToDisplayInline(contentType) && { "Content-Security-Policy": sandboxPolicy }),
});

/**
 * The refusal when the file has changed. If both headers were sent, If-Match takes precedence over
 * If-Unmodified-Since.
 */
const fileChangedRefusal = ({ req }: StorefrontContext) =>
  invalid(
    req.header("if-match") === undefined ? "if-unmodified-since" : "if-match",
    "does not match, because the file changed",
  );

const sandboxPolicy = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:";

async function openBytes(
  files: FileContext["files"],
  key: string,
  range: ByteRange,
): Promise<ReadableStream> {
  const object = await files.get(key, { range });
  if (!object) throw notFound("file");
  return object.body;
}

/**
 * Whether the caller's part of the file is from another version. A range of the current version
 * would not fit that part (RFC 9110, 13.1.5).
 */
const isDifferentVersion = (ifRange: string | undefined, etag: string): boolean =>
  ifRange !== undefined && ifRange !== etag;

const contentRange = ({ offset, length }: ByteRange, sizeBytes: number): string =>
  `bytes ${offset}-${offset + length - 1}/${sizeBytes}`;

/**
 * The Content-Disposition header: safe files are displayed, all others are downloaded (RFC 6266).
 */
function contentDisposition({ contentType, filename }: Upload): string {
  const isInline = isSafeToDisplayInline(servedMediaType(contentType));
  const type = isInline ? "inline" : "attachment";
  const asciiName = filename.replace(/[^\x20-\x7e]|["\\%]/g, "_");
  const encoded = encodeURIComponent(filename).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${type}; filename="${asciiName}"; filename*=UTF-8''${encoded}`;
}
