import { parse } from "hono/utils/cookie";
import type { RequestContext } from "../http/context.ts";
import { readSocketSessionToken } from "../http/sockets.ts";

export const sessionCookieName = "__Host-session";
export const sessionTokenHeader = "X-Session-Token";

const readCookie = (c: RequestContext): string | undefined =>
  parse(c.req.header("cookie") ?? "", sessionCookieName)[sessionCookieName];

const readTokenHeader = (c: RequestContext): string | undefined =>
  c.req.header(sessionTokenHeader) ?? readSocketSessionToken(c);

/**
 * The token in the caller's session cookie or, without a cookie, in its `X-Session-Token`, valid or not
 * (docs/contract/conventions.md#session-token).
 */
export const readSessionToken = (c: RequestContext): string | undefined =>
  readCookie(c) ?? readTokenHeader(c);

/** Whether the caller's client keeps the token by itself, and not in a cookie of the browser. */
export const usesTokenHeader = (c: RequestContext): boolean =>
  readCookie(c) === undefined && readTokenHeader(c) !== undefined;

/** Whether the caller sent a session cookie, valid or not. */
export const hasSessionCookie = (c: RequestContext): boolean => readCookie(c) !== undefined;
