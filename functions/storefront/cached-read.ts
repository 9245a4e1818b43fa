import type { MiddlewareHandler } from "hono";
import { type AtVersion, type CatalogueReader, readVersion } from "../../shared/catalogue/index.ts";
import { openDb, shardsOf, shopOf } from "../../shared/database/index.ts";
import { createMeter, type Meter, sha256, weightedLru } from "../../shared/kernel/index.ts";
import type { RequestContext, SurfaceEnv } from "../http/api-env.ts";
import { demand, publishableKey } from "../http/authentication/access.ts";
import { keyed } from "../http/context.ts";
import { answer } from "../http/contract.ts";
import { type Enveloped, enveloped } from "../http/json/json-response.ts";
import { chance } from "../runtime/runtime.ts";
import { catalogueVersions } from "./catalogue-memory.ts";
import { holds } from "./files/entity-tag.ts";

const maxBytes = 32 * 1024 * 1024;

type Remembered = Readonly<{
  text: string;
  tag: string;
  headers: Readonly<Record<string, string>>;
}>;

const answers = weightedLru<Remembered>(
  maxBytes,
  ({ text, headers }, key) => 2 * (text.length + key.length + JSON.stringify(headers).length),
);

const admit = demand(publishableKey);

/**
 * Answers a repeated catalogue read ahead of its row: its text was validated and written once for
 * this version. What depends on more than the catalogue (a location, the time) is kept beside these,
 * and so left to the row.
 */
export const fromMemory: MiddlewareHandler<SurfaceEnv> = async function fromMemory(c, next) {
  if (c.get("caller").type === "stranger") return next();
  const known = await recall(c);
  if (!known) return next();
  return admit(c, async () => {
    c.res = respond(c, known);
  });
};

/**
 * Answers from memory, or loads once (one D1 round trip), answers and remembers.
 *
 * @param beside what the answer depends on besides the address and the catalogue, as text.
 */
export async function cachedRead<T>(
  c: RequestContext,
  load: (reader: CatalogueReader) => Promise<AtVersion<T>>,
  beside = "",
): Promise<Enveloped<T>> {
  const known = await recall(c, beside);
  if (known) return enveloped(respond(c, known));
  const { business } = keyed(c);
  const now = chance.now();
  const { version, data } = await load(readerOf(c));
  catalogueVersions.learn(business.id, now, version);
  const key = keyOf(business.id, version, c.req.raw.url) + beside;
  const fresh = await remembered(JSON.stringify(answer(data)));
  answers.put(key, fresh);
  return enveloped(respond(c, fresh));
}

/** The caller's catalogue as any replica has it: public reads need not be the newest. */
export function readerOf(c: RequestContext, meter: Meter = c.get("meter")): CatalogueReader {
  const { business } = keyed(c);
  const shop = shopOf(shardsOf(c.env, c.get("settings").shopShards), business);
  return { business, db: openDb(shop.withSession("first-unconstrained"), meter) };
}

async function recall(c: RequestContext, beside = ""): Promise<Remembered | undefined> {
  const { business } = keyed(c);
  const version = await catalogueVersions.current(
    business.id,
    chance.now(),
    () => readVersion(readerOf(c, createMeter())), // nobody waits for it, so that no request counts it
    (work) => c.executionCtx.waitUntil(work),
  );
  return version === undefined
    ? undefined
    : answers.get(keyOf(business.id, version, c.req.raw.url) + beside);
}

function keyOf(businessId: string, version: number, url: string): string {
  const pathAt = url.indexOf("/", "https://".length);
  const queryAt = url.indexOf("?", pathAt);
  if (queryAt < 0) return `${businessId} ${version} ${url.slice(pathAt)}`;
  const query = url
    .slice(queryAt + 1)
    .split("&")
    .sort()
    .join("&");
  return `${businessId} ${version} ${url.slice(pathAt, queryAt)}?${query}`;
}

/** The tag is the text's own: a catalogue write that left this answer as it was costs nobody its copy. */
async function remembered(text: string): Promise<Remembered> {
  const tag = `"${(await sha256(text)).slice(0, 32)}"`;
  return {
    text,
    tag,
    headers: {
      "Content-Type": "application/json",
      ETag: tag,
      // The service itself may lag five seconds, so nobody else may: kept, but asked for anew.
      "Cache-Control": "public, no-cache",
      Vary: "X-Public-Key, X-API-Key, X-Business-Id", // cors adds Origin
    },
  };
}

function respond(c: RequestContext, { text, tag, headers }: Remembered): Response {
  const condition = c.req.header("if-none-match");
  if (condition === undefined || !holds(condition, tag)) return new Response(text, { headers });
  const { "Content-Type": _, ...kept } = headers;
  return new Response(null, { status: 304, headers: kept });
}
