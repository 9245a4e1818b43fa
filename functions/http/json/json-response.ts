import type { TypedResponse } from "hono";
import type { JSONParsed } from "hono/utils/types";
import type { RequestContext } from "../api-env.ts";

export type Enveloped<T> = TypedResponse<JSONParsed<{ success: true; data: T }>, 200, "json">;

/** A piece of JSON: text, or long text that is UTF-8 already. */
export type JsonPiece = string | Uint8Array;

/** Answers with data that is JSON already, in pieces: what made them wrote a T. */
export const answerText = <T>(c: RequestContext, ...data: readonly JsonPiece[]): Enveloped<T> =>
  enveloped(
    c.body(joinedJson(['{"success":true,"data":', ...data, "}"]), 200, {
      "Content-Type": "application/json",
    }),
  );

const encoder = new TextEncoder();

/** JSON in UTF-8, put together by copying: text would be flattened, and then encoded. */
export function joinedJson(pieces: readonly JsonPiece[]): Uint8Array<ArrayBuffer> {
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

// Safe: whoever calls it made the response's text of an enveloped T.
export const enveloped = <T>(response: Response) => response as unknown as Enveloped<T>;
