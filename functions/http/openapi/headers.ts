const text = { type: "string" };
const integer = { type: "integer" };

/** The response headers of docs/contract/conventions.md#response-headers. */
export const headerComponents = {
  "X-Request-Id": {
    description: "The caller's own id of the request, or a new UUID.",
    schema: text,
  },
  "Server-Timing": {
    description:
      'The round trips of the request, such as d1;desc="1", do;desc="0", lease;desc="0".',
    schema: text,
  },
  "X-RateLimit-Limit": { description: "The limit that is nearest to exhaustion.", schema: integer },
  "X-RateLimit-Remaining": { description: "What is left of it.", schema: integer },
  "X-RateLimit-Reset": {
    description: "When its window ends, in Unix seconds.",
    schema: integer,
  },
  "Retry-After": { description: "Seconds after which to try again.", schema: integer },
  "Idempotency-Replayed": {
    description: "`true` when the response is the one of an earlier request with the same key.",
    schema: { type: "string", enum: ["true"] },
  },
  Warning: { description: "Names input that was ignored, in test mode.", schema: text },
  "Set-Cookie": {
    description:
      "`__Host-session`, when the call begins or renews a session of a client with cookies.",
    schema: text,
  },
  "X-Session-Token": {
    description: "The session's new token, when the call carried an `X-Session-Token` of its own.",
    schema: text,
  },
  ETag: {
    description: "The tag of the body. A request with it in If-None-Match gets 304 while it holds.",
    schema: text,
  },
  "X-Has-More": {
    description: "Whether there is a next page.",
    schema: { type: "string", enum: ["true", "false"] },
  },
  "X-Next-Cursor": {
    description: "The cursor of the next page. Missing on the last page.",
    schema: text,
  },
} as const;

export type HeaderName = keyof typeof headerComponents;

const commonHeaders: readonly HeaderName[] = [
  "X-Request-Id",
  "Server-Timing",
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
];

/** The headers of every response, and further ones. */
export const responseHeaders = (more: readonly HeaderName[]) =>
  Object.fromEntries(
    [...commonHeaders, ...more].map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );
