import type { IncomingMessage } from "node:http";
import { clientAddress, type IsTrustedProxy } from "./client-address.ts";

/**
 * Headers that describe one connection, and those that only this server may set. workerd would read
 * `MF-…`, and the Workers trust `CF-…`.
 */
const isOwn = (name: string): boolean =>
  /^(?:connection|keep-alive|proxy-|upgrade$|te$|trailer$|expect$|host$|cf-|mf-|x-forwarded-|forwarded$|x-real-ip$)/i.test(
    name,
  );

const isOfConnection = (name: string): boolean =>
  /^(?:connection|keep-alive|proxy-connection|transfer-encoding)$/i.test(name);

const hostname = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i;

/** A request as it is sent to the Workers. */
export type ForwardedRequest = Readonly<{ url: string; headers: string[] }>;

/**
 * The URL and the headers for the Workers. Null when the request names no valid host or path. Behind
 * a trusted proxy the scheme is that of the client's connection to the proxy.
 */
export function forwardedRequest(
  request: IncomingMessage,
  isTrusted: IsTrustedProxy,
): ForwardedRequest | null {
  const { url: target = "", headers, socket, rawHeaders } = request;
  const path = target.startsWith("/") ? target : pathOf(target);
  const host = headers.host ?? "";
  if (path === null || !hostname.test(host)) return null;
  const remote = clientAddress(socket.remoteAddress, undefined, isTrusted);
  const isProxied = isTrusted(remote);
  const scheme = isProxied && headers["x-forwarded-proto"] === "https" ? "https" : "http";
  const list = String(headers["x-forwarded-for"] ?? "");
  const address = clientAddress(socket.remoteAddress, list, isTrusted);
  return {
    url: `${scheme}://${host}${path}`,
    headers: ["Host", host, "CF-Connecting-IP", address, ...withoutHeaders(rawHeaders, isOwn)],
  };
}

/** The headers of a response without those of the connection to the Workers. */
export const responseHeaders = (rawHeaders: readonly string[]): string[] =>
  withoutHeaders(rawHeaders, isOfConnection);

function withoutHeaders(raw: readonly string[], isLeftOut: (name: string) => boolean): string[] {
  const rest: string[] = [];
  for (let index = 0; index < raw.length; index += 2) {
    const [name = "", value = ""] = raw.slice(index, index + 2);
    if (!isLeftOut(name)) rest.push(name, value);
  }
  return rest;
}

function pathOf(target: string): string | null {
  const url = URL.parse(target);
  return url !== null && /^https?:$/.test(url.protocol) ? url.pathname + url.search : null;
}
