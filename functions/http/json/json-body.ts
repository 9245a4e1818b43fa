import type { Context, MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import { invalid } from "../../../shared/kernel/index.ts";
import type { SurfaceEnv } from "../api-env.ts";
import { BodyTooLarge } from "../errors.ts";

const maxJsonBytes = 1024 * 1024;

const limit = bodyLimit({
  maxSize: maxJsonBytes,
  onError: () => {
    throw new BodyTooLarge("The body is larger than 1 MiB.");
  },
});

/**
 * JSON calls take JSON, of at most 1 MiB (completions.md 1). A call without any body says nothing,
 * with or without a type: what it leaves out, its row judges.
 */
export const jsonBody: MiddlewareHandler<SurfaceEnv> = async function jsonBody(c, next) {
  if (!hasBody(c)) {
    if (c.req.header("content-type") !== undefined) c.req.raw = withoutType(c.req.raw);
    return next();
  }
  if (!/^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(c.req.header("content-type") ?? "")) {
    throw invalid("content-type", "must be application/json");
  }
  return limit(c, next);
};

function withoutType(request: Request): Request {
  const headers = new Headers(request.headers);
  headers.delete("content-type");
  return new Request(request, { headers });
}

function hasBody(c: Context): boolean {
  if (c.req.method === "GET" || c.req.method === "HEAD") return false;
  return c.req.raw.body !== null && c.req.header("content-length") !== "0";
}
