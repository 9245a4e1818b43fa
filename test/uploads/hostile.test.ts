import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { faultOf } from "../http/fuzz/demands.ts";
import { demandDocumented } from "../support/documented.ts";
import worker from "../support/worker.ts";
import { type Answer, givenBusiness, shopper } from "../support/world.ts";
import {
  bytesOf,
  deployer,
  givenAsset,
  givenAssetPlace,
  givenPlace,
  givenUpload,
  pathOf,
} from "./given.ts";
import { asOperation, type FileRequest, putsTo, readsOf } from "./hostile.ts";

// FUZZ_FILES=5000 for a campaign.
const { FUZZ_FILES: requests = "150" }: Record<string, string | undefined> = import.meta.env;
const run = { numRuns: Number(requests), seed: 20_261_122 };
const campaign = 3_600_000;

let shop: CreatedBusiness;
let ids: Readonly<Record<string, string>>;

const ten = bytesOf(10);

beforeAll(async () => {
  shop = await givenBusiness();
  const asset = await givenAsset(deployer(shop), ten);
  const kept = await givenUpload(shopper(shop), ten);
  const { headers } = await ask({
    method: "GET",
    path: pathOf(asset.url),
    headers: [],
    body: null,
  });
  ids = {
    asset: pathOf(asset.url),
    private: pathOf(kept.url),
    business: shop.business.id,
    tag: headers.get("etag") ?? "",
  };
});

const filled = (text: string): string =>
  text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => ids[name] ?? "");

/** A header that cannot be sent says nothing of the service. */
function headersOf(pairs: FileRequest["headers"]): Headers {
  const headers = new Headers({ "CF-Connecting-IP": nextAddress() });
  for (const [name, value] of pairs) {
    try {
      headers.set(name, filled(value));
    } catch {}
  }
  return headers;
}

let asked = 0;
const nextAddress = (): string => `10.77.${(asked >> 8) & 255}.${asked++ & 255}`;

function streamOf(sizes: readonly number[]): ReadableStream<Uint8Array> {
  const left = [...sizes];
  return new ReadableStream({
    pull(controller) {
      const size = left.shift();
      if (size === undefined) controller.close();
      else controller.enqueue(bytesOf(size));
    },
  });
}

type Told = Answer & Readonly<{ bytes: Uint8Array }>;

/** In this isolate, so that headers arrive as they are and no server refuses what it finds odd. */
async function ask({ method, path, headers, body }: FileRequest): Promise<Told> {
  const request = new Request(`https://duka.test${filled(path)}`, {
    method,
    headers: headersOf(headers),
    ...(body !== null &&
      !["GET", "HEAD"].includes(method) && {
        body: body.type === "whole" ? bytesOf(body.size) : streamOf(body.sizes),
      }),
  });
  const answer = await worker.fetch(request, env, createExecutionContext());
  const bytes = new Uint8Array(await answer.arrayBuffer());
  const text = new TextDecoder().decode(bytes);
  const isJson = text !== "" && answer.headers.get("content-type")?.startsWith("application/json");
  if (isJson) {
    const asked = { method, path: new URL(request.url).pathname };
    const { status, headers } = answer;
    demandDocumented({ ...asked, status, headers, body: JSON.parse(text) });
  }
  return {
    status: answer.status,
    headers: answer.headers,
    body: isJson ? JSON.parse(text) : text,
    bytes,
  };
}

const takesBytes = asOperation("PUT {upload_url}", "content-length");
const givesBytes = asOperation("GET {cdn_url}", "range");

/** @throws Error where the answer is none that the contract knows. */
function demandGood(operation: typeof takesBytes, method: string, answer: Told): void {
  if (method === "HEAD" || answer.status === 204) {
    expect(answer.status).toBeLessThan(500);
    expect(answer.bytes).toHaveLength(0);
    return;
  }
  expect(faultOf(operation, answer)).toBeNull();
}

/** The objects of one upload: never more than the one that is its file. */
const objectsOf = async (id: string) =>
  (await env.FILES.list({ prefix: `${shop.business.id}/${id}/` })).objects;

describe.each(["a shopper's", "a merchant's"])("{upload_url} of %s file", (whose) => {
  const isAsset = whose === "a merchant's";
  const place = () => {
    const file = { content_type: "text/plain" };
    return isAsset
      ? givenAssetPlace(deployer(shop), 3, { ...file, filename: "hostile" })
      : givenPlace(shopper(shop), 3, file);
  };

  it("answers whatever it is sent, takes the declared bytes alone, and those once", {
    timeout: campaign,
  }, async () => {
    let current = await place();
    let taken = 0;
    await fc.assert(
      fc.asyncProperty(putsTo, async ({ tampered, type, length, more, body, method }) => {
        const address = pathOf(current.address);
        const answer = await ask({
          method,
          path: tampered ? tampered(address) : address,
          headers: [
            ["Content-Type", type],
            ...(length === null ? [] : [["Content-Length", length] as const]),
            ...more,
          ],
          body,
        });
        demandGood(takesBytes, method, answer);
        const objects = await objectsOf(current.id);
        const isTaken = method === "PUT" && answer.status === 200;
        expect(objects.map(({ size }) => size)).toEqual(isTaken ? [3] : []);
        if (!isTaken) return;
        taken += 1;
        expect(tampered).toBeNull();
        expect(answer.body).toEqual({ data: { upload_id: current.id, size_bytes: 3 } });
        expect(
          (
            await ask({
              method,
              path: address,
              headers: [["Content-Type", "text/plain"]],
              body: { type: "whole", size: 3 },
            })
          ).status,
        ).toBe(409);
        current = await place();
      }),
      { ...run, numRuns: Math.ceil(run.numRuns / 2) },
    );
    expect(taken).toBeGreaterThan(run.numRuns / 50);
  });
});

describe("a file's address", () => {
  it("gives what was asked for or says why not, whatever path, range and condition", {
    timeout: campaign,
  }, async () => {
    const seen = new Set<number>();
    await fc.assert(
      fc.asyncProperty(readsOf, async ({ path, tampered, headers, method }) => {
        const whole = filled(path);
        const sent = tampered && path === "{{private}}" ? tampered(whole) : whole;
        const answer = await ask({ method, path: sent, headers, body: null });
        seen.add(answer.status);
        demandGood(givesBytes, method, answer);
        if (method !== "GET") return;
        const type = answer.headers.get("content-type");
        expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
        if (answer.status === 200 && type === "image/png") expect(answer.bytes).toEqual(ten);
        if (answer.status === 206) {
          const [, from, to] =
            /^bytes (\d+)-(\d+)\/10$/.exec(answer.headers.get("content-range") ?? "") ?? [];
          expect(answer.bytes).toEqual(ten.slice(Number(from), Number(to) + 1));
        }
        if (answer.status === 304) expect(answer.bytes).toHaveLength(0);
      }),
      { ...run, numRuns: run.numRuns * 2 },
    );
    for (const status of [200, 206, 304, 403, 404, 416]) expect(seen).toContain(status);
  });
});
