import type { Context, MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import { invalid } from "../../../shared/kernel/index.ts";
import type { ApiEnv } from "../api-env.ts";
import { BodyTooLarge } from "../errors.ts";

const maxJsonBytes = 1024 * 1024;

const limitBodySize = bodyLimit({
  maxSize: maxJsonBytes,
  onError: () => {
    throw new BodyTooLarge("The body is larger than 1 MiB.");
  },
});

/**
 * Refuses a body that is not JSON or is over 1 MiB. A request without a body passes, and the
 * route's schema decides whether a field is missing.
 */
export const acceptJsonBody: MiddlewareHandler<ApiEnv> = async function jsonBody(c, next) {
  if (!hasBody(c)) {
    if (c.req.header("content-type") !== undefined) c.req.raw = withoutContentType(c.req.raw);
    return next();
  }
  if (!/^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(c.req.header("content-type") ?? "")) {
    throw invalid("content-type", "must be application/json");
  }
  return limitBodySize(c, next);
};

function withoutContentType(request: Request): Request {
  const headers = new Headers(request.headers);
  headers.delete("content-type");
  return new Request(request, { headers });
}

function hasBody(c: Context): boolean {
  if (c.req.method === "GET" || c.req.method === "HEAD") return false;
  return c.req.raw.body !== null && c.req.header("content-length") !== "0";
}
