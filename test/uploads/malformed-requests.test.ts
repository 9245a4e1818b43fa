import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { findResponseFault } from "../http/fuzz/response-rules.ts";
import { assertDocumentedResponse } from "../support/documented-responses.ts";
import worker from "../support/worker.ts";
import { type ApiResponse, createBusiness, shopper } from "../support/world.ts";
import {
  type FileRequest,
  putRequests,
  readRequests,
  toOperation,
} from "./arbitrary-file-requests.ts";
import {
  createAsset,
  createBytes,
  createUpload,
  deployCaller,
  pathOfUrl,
  reserveTestAsset,
  reserveTestUpload,
} from "./create-uploads.ts";

// Set FUZZ_FILES=5000 for a long run.
const { FUZZ_FILES: requests = "150" }: Record<string, string | undefined> = import.meta.env;
const run = { numRuns: Number(requests), seed: 20_261_122 };
const fuzzTimeoutMs = 3_600_000;

let shop: CreatedBusiness;
let ids: Readonly<Record<string, string>>;

const ten = createBytes(10);

beforeAll(async () => {
  shop = await createBusiness();
  const asset = await createAsset(deployCaller(shop), ten);
  const upload = await createUpload(shopper(shop), ten);
  const { headers } = await ask({
    method: "GET",
    path: pathOfUrl(asset.url),
    headers: [],
    body: null,
  });
  ids = {
    asset: pathOfUrl(asset.url),
    private: pathOfUrl(upload.url),
    business: shop.business.id,
    tag: headers.get("etag") ?? "",
  };
});

const fillPlaceholders = (text: string): string =>
  text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => ids[name] ?? "");

/** Headers that cannot be sent are skipped. */
function headersOf(pairs: FileRequest["headers"]): Headers {
  const headers = new Headers({ "CF-Connecting-IP": nextAddress() });
  for (const [name, value] of pairs) {
    try {
      headers.set(name, fillPlaceholders(value));
    } catch {}
  }
  return headers;
}

let requestCount = 0;
const nextAddress = (): string => `10.77.${(requestCount >> 8) & 255}.${requestCount++ & 255}`;

function createStream(sizes: readonly number[]): ReadableStream<Uint8Array> {
  const remaining = [...sizes];
  return new ReadableStream({
    pull(controller) {
      const size = remaining.shift();
      if (size === undefined) controller.close();
      else controller.enqueue(createBytes(size));
    },
  });
}

type FileResponse = ApiResponse & Readonly<{ bytes: Uint8Array }>;

/** Calls the Worker in this isolate, so that no server changes or rejects unusual headers. */
async function ask({ method, path, headers, body }: FileRequest): Promise<FileResponse> {
  const request = new Request(`https://duka.test${fillPlaceholders(path)}`, {
    method,
    headers: headersOf(headers),
    ...(body !== null &&
      !["GET", "HEAD"].includes(method) && {
        body: body.type === "whole" ? createBytes(body.size) : createStream(body.sizes),
      }),
  });
  const answer = await worker.fetch(request, env, createExecutionContext());
  const bytes = new Uint8Array(await answer.arrayBuffer());
  const text = new TextDecoder().decode(bytes);
  const isJson = text !== "" && answer.headers.get("content-type")?.startsWith("application/json");
  if (isJson) {
    const operation = { method, path: new URL(request.url).pathname };
    const { status, headers } = answer;
    assertDocumentedResponse({ ...operation, status, headers, body: JSON.parse(text) });
  }
  return {
    status: answer.status,
    headers: answer.headers,
    body: isJson ? JSON.parse(text) : text,
    bytes,
  };
}

const uploadOperation = toOperation("PUT {upload_url}", "content-length");
const downloadOperation = toOperation("GET {cdn_url}", "range");

/** @throws Error when the response is not documented. */
function assertDocumented(
  operation: typeof uploadOperation,
  method: string,
  answer: FileResponse,
): void {
  if (method === "HEAD" || answer.status === 204) {
    expect(answer.status).toBeLessThan(500);
    expect(answer.bytes).toHaveLength(0);
    return;
  }
  expect(findResponseFault(operation, answer)).toBeNull();
}

/** The objects of one upload; at most one. */
const listObjects = async (id: string) =>
  (await env.FILES.list({ prefix: `${shop.business.id}/${id}/` })).objects;

describe.each(["a shopper's", "a merchant's"])("{upload_url} of %s file", (whose) => {
  const isAsset = whose === "a merchant's";
  const reserve = () => {
    const file = { content_type: "text/plain" };
    return isAsset
      ? reserveTestAsset(deployCaller(shop), 3, { ...file, filename: "hostile" })
      : reserveTestUpload(shopper(shop), 3, file);
  };

  it("accepts only the declared bytes, once, and rejects other requests with a documented error", {
    timeout: fuzzTimeoutMs,
  }, async () => {
    let current = await reserve();
    let accepted = 0;
    await fc.assert(
      fc.asyncProperty(putRequests, async ({ tampered, type, length, more, body, method }) => {
        const address = pathOfUrl(current.address);
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
        assertDocumented(uploadOperation, method, answer);
        const objects = await listObjects(current.id);
        const isAccepted = method === "PUT" && answer.status === 200;
        expect(objects.map(({ size }) => size)).toEqual(isAccepted ? [3] : []);
        if (!isAccepted) return;
        accepted += 1;
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
        current = await reserve();
      }),
      { ...run, numRuns: Math.ceil(run.numRuns / 2) },
    );
    expect(accepted).toBeGreaterThan(run.numRuns / 50);
  });
});

describe("a file's URL", () => {
  it("serves the file or a documented error for any path, range and condition", {
    timeout: fuzzTimeoutMs,
  }, async () => {
    const statuses = new Set<number>();
    await fc.assert(
      fc.asyncProperty(readRequests, async ({ path, tampered, headers, method }) => {
        const whole = fillPlaceholders(path);
        const requestPath = tampered && path === "{{private}}" ? tampered(whole) : whole;
        const answer = await ask({ method, path: requestPath, headers, body: null });
        statuses.add(answer.status);
        assertDocumented(downloadOperation, method, answer);
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
    for (const status of [200, 206, 304, 403, 404, 416]) expect(statuses).toContain(status);
  });
});
