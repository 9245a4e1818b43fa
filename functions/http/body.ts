import type { Context, MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import { invalid } from "../../shared/kernel/index.ts";
import { BodyTooLarge } from "./errors.ts";
import type { SurfaceEnv } from "./surface-env.ts";

const maxJsonBytes = 1024 * 1024;

const limit = bodyLimit({
  maxSize: maxJsonBytes,
  onError: () => {
    throw new BodyTooLarge("The body is larger than 1 MiB.");
  },
});

/** JSON calls take JSON, of at most 1 MiB (completions.md 1); a call without any body may have no type. */
export const jsonBody: MiddlewareHandler<SurfaceEnv> = async function jsonBody(c, next) {
  if (!hasBody(c)) return next();
  if (!/^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(c.req.header("content-type") ?? "")) {
    throw invalid("content-type", "must be application/json");
  }
  return limit(c, next);
};

function hasBody(c: Context): boolean {
  if (c.req.method === "GET" || c.req.method === "HEAD") return false;
  return c.req.raw.body !== null && c.req.header("content-length") !== "0";
}
