import { invalid, minute, notFound, second } from "../../../shared/kernel/index.ts";
import {
  type ByteRange,
  type FileContext,
  isPassive,
  objectKey,
  rangeOf,
  type Upload,
} from "../../../shared/uploads/index.ts";
import type { RequestContext } from "../../http/api-env.ts";
import { refused } from "../../http/errors.ts";
import type { StorefrontBindings } from "../env.ts";
import { conditionOf } from "./conditional-request.ts";

/** A file, and what is said of it besides its type and tag. */
export type ServedFile = Readonly<{
  upload: Upload;
  headers: Readonly<Record<string, string>>;
}>;

/** A shopper's file: for whoever has its address, and in no shared cache. */
export const privateFile = (upload: Upload): ServedFile => ({
  upload,
  headers: {
    "Cache-Control": "private, no-cache",
    "Content-Disposition": dispositionOf(upload),
    "Referrer-Policy": "no-referrer", // its address is all that guards it
  },
});

/** How long others may keep an asset; a later one at its path shows everywhere after that. */
const assetFreshMs = minute;

/** A storefront's asset: for everybody, on every page. */
export const publicFile = (upload: Upload): ServedFile => ({
  upload,
  headers: {
    "Cache-Control": `public, max-age=${assetFreshMs / second}`,
    "Cross-Origin-Resource-Policy": "cross-origin",
  },
});

/**
 * Answers with a file, whole or in part, or that the caller has it already (RFC 9110, 13 and 14).
 * Nothing that a browser would run runs: it is told to believe the type, and what could hold a
 * script opens without any rights (completions.md 12).
 */
export async function serveFile(
  c: RequestContext<StorefrontBindings>,
  { business, files }: Pick<FileContext, "business" | "files">,
  { upload, headers: own }: ServedFile,
): Promise<Response> {
  const { contentType, sizeBytes, receivedAttempt, etag } = upload;
  if (receivedAttempt === null || etag === null) throw notFound("file");
  const kept = { ...own, ETag: etag };
  const modifiedAt = upload.confirmedAt ?? upload.createdAt;
  const condition = conditionOf(c, { etag, modifiedAt });
  if (condition === "held") return new Response(null, { status: 304, headers: kept });
  if (condition === "another") return refused(c, changed(c).toData(), 412);
  const headers = {
    ...kept,
    "Content-Type": contentType,
    "Accept-Ranges": "bytes",
    "Last-Modified": new Date(modifiedAt).toUTCString(),
    "X-Content-Type-Options": "nosniff",
    ...(!isPassive(contentType) && { "Content-Security-Policy": noRights }),
  };
  const isHead = c.req.raw.method === "HEAD"; // which has no ranges (RFC 9110, 14.2)
  const range =
    isHead || hasOther(c.req.header("if-range"), etag)
      ? null
      : rangeOf(c.req.header("range"), sizeBytes);
  if (range === "unsatisfiable") {
    c.header("Content-Range", `bytes */${sizeBytes}`);
    return refused(c, invalid("range", "the file ends before it").toData(), 416);
  }
  const part = range ?? { offset: 0, length: sizeBytes };
  const body =
    isHead || part.length === 0
      ? null
      : await bytesOf(files, objectKey(business, upload, receivedAttempt), part);
  return new Response(body, {
    status: range === null ? 200 : 206,
    headers: {
      ...headers,
      "Content-Length": String(part.length),
      ...(range !== null && { "Content-Range": contentRange(range, sizeBytes) }),
    },
  });
}

/** Names the header that was weighed: a tag counts for more than a time. */
const changed = ({ req }: RequestContext<StorefrontBindings>) =>
  invalid(
    req.header("if-match") === undefined ? "if-unmodified-since" : "if-match",
    "the file is another one by now",
  );

const noRights = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:";

async function bytesOf(
  files: FileContext["files"],
  key: string,
  range: ByteRange,
): Promise<ReadableStream> {
  const object = await files.get(key, { range });
  if (!object) throw notFound("file");
  return object.body;
}

/** A part is only worth having of what the caller holds the rest of (RFC 9110, 13.1.5). */
const hasOther = (ifRange: string | undefined, etag: string): boolean =>
  ifRange !== undefined && ifRange !== etag;

const contentRange = ({ offset, length }: ByteRange, sizeBytes: number): string =>
  `bytes ${offset}-${offset + length - 1}/${sizeBytes}`;

/** What a browser merely shows opens in it; all else is saved, under its name (RFC 6266). */
function dispositionOf({ contentType, filename }: Upload): string {
  const how = isPassive(contentType) ? "inline" : "attachment";
  const plain = filename.replace(/[^\x20-\x7e]|["\\%]/g, "_");
  const encoded = encodeURIComponent(filename).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${how}; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
