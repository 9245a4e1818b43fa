import type { OAuthContext } from "./context.ts";
import { OAuthError } from "./context.ts";

const maxFieldLength = 8_000;

/**
 * Reads a form, whose size and time the route limits.
 *
 * @throws OAuthError invalid_request for another content type, and for a field that is sent twice.
 */
export async function readForm(c: OAuthContext): Promise<ReadonlyMap<string, string>> {
  const type = c.req.header("content-type") ?? "";
  if (!/^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(type))
    throw new OAuthError("invalid_request", "Send the body as application/x-www-form-urlencoded.");
  const fields = new Map<string, string>();
  const text = new TextDecoder().decode(await c.req.arrayBuffer());
  for (const [name, value] of new URLSearchParams(text)) {
    if (fields.has(name)) throw new OAuthError("invalid_request", "Send each field once.");
    if (value.length > maxFieldLength)
      throw new OAuthError("invalid_request", "A field is too long.");
    fields.set(name, value.toWellFormed());
  }
  return fields;
}
