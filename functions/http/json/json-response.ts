import type { TypedResponse } from "hono";
import type { JSONParsed } from "hono/utils/types";
import type { RequestContext } from "../api-env.ts";

export type EnvelopeResponse<T> = TypedResponse<
  JSONParsed<{ success: true; data: T }>,
  200,
  "json"
>;

/** A part of a JSON text, as a string or as UTF-8 bytes. */
export type JsonChunk = string | Uint8Array;

/** Responds with data that is JSON already; the caller vouches that it is the JSON of a T. */
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

/** Joins parts by copying bytes, which is faster than concatenating and encoding long strings. */
export function joinJsonChunks(pieces: readonly JsonChunk[]): Uint8Array<ArrayBuffer> {
  const encoded = pieces.map((piece) =>
    typeof piece === "string" ? encoder.encode(piece) : piece,
  );
  const joined = new Uint8Array(encoded.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of encoded) {
    joined.set(piece, at);
    at += piece.length;
  }
  return joined;
}

// Safe: the caller made the response's text from an enveloped T.
export const asEnvelopeResponse = <T>(response: Response) =>
  response as unknown as EnvelopeResponse<T>;
