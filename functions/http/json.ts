import type { Context, MiddlewareHandler, TypedResponse } from "hono";
import type { JSONParsed } from "hono/utils/types";
import { invalid } from "../../shared/kernel/index.ts";
import type { ApiEnv, RequestContext } from "./context.ts";
import { receiveBody } from "./request-body.ts";

export const maxJsonBytes = 1024 * 1024;

/** Reads a JSON body before the handler does. */
const receiveJson = receiveBody({
  maxBytes: maxJsonBytes,
  message: "The body is larger than 1 MiB.",
});

/**
 * Refuses a body that is not JSON, is larger than 1 MiB or does not arrive in time. A request without a body passes, because
 * the route's schema checks for missing fields.
 */
export const acceptJsonBody: MiddlewareHandler<ApiEnv> = async function jsonBody(c, next) {
  if (!hasBody(c)) {
    if (c.req.header("content-type") !== undefined) c.req.raw = withoutContentType(c.req.raw);
    return next();
  }
  if (!isJsonRequest(c)) throw invalid("content-type", "must be application/json");
  return receiveJson(c, next);
};

/** Whether the Content-Type of the request is JSON. */
export const isJsonRequest = ({ req }: RequestContext): boolean =>
  /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(req.header("content-type") ?? "");

function withoutContentType(request: Request): Request {
  const headers = new Headers(request.headers);
  headers.delete("content-type");
  return new Request(request, { headers });
}

function hasBody(c: Context): boolean {
  if (c.req.method === "GET" || c.req.method === "HEAD") return false;
  return c.req.raw.body !== null && c.req.header("content-length") !== "0";
}

export type EnvelopeResponse<T> = TypedResponse<
  JSONParsed<{ success: true; data: T }>,
  200,
  "json"
>;

/** A part of a JSON text, as a string or as UTF-8 bytes. */
export type JsonChunk = string | Uint8Array;

/**
 * Responds with text that is already JSON. The caller guarantees that this text is a serialised T.
 */
export const respondWithJsonChunks = <T>(
  c: RequestContext,
  ...data: readonly JsonChunk[]
): EnvelopeResponse<T> =>
  asEnvelopeResponse(
    c.body(joinJsonChunks(['{"success":true,"data":', ...data, "}"]), 200, {
      "Content-Type": "application/json",
    }),
  );

const encoder = new TextEncoder();

/** Joins the chunks by copying bytes. Concatenating and encoding long strings would be slower. */
export function joinJsonChunks(chunks: readonly JsonChunk[]): Uint8Array<ArrayBuffer> {
  const encoded = chunks.map((chunk) =>
    typeof chunk === "string" ? encoder.encode(chunk) : chunk,
  );
  const joined = new Uint8Array(encoded.reduce((sum, { length }) => sum + length, 0));
  let offset = 0;
  for (const chunk of encoded) {
    joined.set(chunk, offset);
    offset += chunk.length;
  }
  return joined;
}

// Safe: the caller serialised the response's text from an enveloped T.
export const asEnvelopeResponse = <T>(response: Response) =>
  response as unknown as EnvelopeResponse<T>;
