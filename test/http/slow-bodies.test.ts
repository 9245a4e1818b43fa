import { exports } from "cloudflare:workers";
import { Hono } from "hono";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { limitBodyTime, receiveBody } from "../../functions/http/bodies.ts";
import type { ApiEnv } from "../../functions/http/context.ts";
import { onError } from "../../functions/http/errors.ts";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { second } from "../../shared/kernel/index.ts";
import { mugCsv } from "../business/product-files.ts";
import { createProduct } from "../support/create-product.ts";
import { call, createBusiness } from "../support/world.ts";

let shop: CreatedBusiness;

beforeEach(async () => {
  shop = await createBusiness();
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const encode = (text: string) => new TextEncoder().encode(text);

/** A body that begins and never ends. */
const createEndlessBody = (start: string) =>
  new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(encode(start)),
  });

type SlowCall = Readonly<{
  name: string;
  path: (shop: CreatedBusiness) => string | Promise<string>;
  headers: (shop: CreatedBusiness) => Record<string, string>;
  start: string;
}>;

const json = { "Content-Type": "application/json" };
const formType = { "Content-Type": "multipart/form-data; boundary=x" };
const formStart = '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n';
const secret = ({ keys }: CreatedBusiness) => ({ "X-API-Key": keys.secret });
const ofBusiness =
  (path: string) =>
  ({ business }: CreatedBusiness) =>
    `/v1/businesses/${business.id}${path}`;

const calls: readonly SlowCall[] = [
  {
    name: "a JSON body of the storefront API",
    path: () => "/api/v1/auth/request-otp",
    headers: ({ keys }) => ({ ...json, "X-Public-Key": keys.publishable }),
    start: '{"contact":',
  },
  {
    name: "a JSON body of the business API, of a declared length",
    path: ofBusiness("/customers"),
    headers: (shop) => ({ ...json, ...secret(shop), "Content-Length": "1000" }),
    start: '{"name":',
  },
  {
    name: "a body of a call that takes none",
    path: () => "/api/v1/auth/logout",
    headers: ({ keys }) => ({ ...json, "X-Public-Key": keys.publishable, "Content-Length": "10" }),
    start: "{",
  },
  {
    name: "a CSV file",
    path: ofBusiness("/imports"),
    headers: (shop) => ({ ...secret(shop), "Content-Type": "text/csv" }),
    start: "Handle,Title\n",
  },
  {
    name: "a CSV file with an Idempotency-Key",
    path: ofBusiness("/imports"),
    headers: (shop) => ({
      ...secret(shop),
      "Content-Type": "text/csv",
      "Idempotency-Key": "slow-import",
    }),
    start: "Handle,Title\n",
  },
  {
    name: "a form with a CSV file",
    path: ofBusiness("/imports"),
    headers: (shop) => ({ ...secret(shop), ...formType }),
    start: formStart,
  },
  {
    name: "a form with an image",
    path: async (shop) => ofBusiness(`/products/${(await createProduct(shop)).id}/images`)(shop),
    headers: (shop) => ({ ...secret(shop), ...formType }),
    start: formStart,
  },
];

const tooSlow = {
  status: 408,
  body: {
    success: false,
    error: { code: "VALIDATION_ERROR", retryable: true, context: { field: "body" } },
  },
};

/** Shortens the wait for a body, so that a test sees its end without waiting. */
function shortenBodyWait(): void {
  const start = globalThis.setTimeout;
  vi.spyOn(globalThis, "setTimeout").mockImplementation(((run: () => void, ms = 0) =>
    start(run, ms > 20 * second ? 20 : ms)) as typeof setTimeout);
}

describe("a body that never ends", () => {
  it.each(calls)("is 408: $name", async ({ path, headers, start }) => {
    const address = await path(shop);
    shortenBodyWait();
    const response = await call("POST", address, {
      rawBody: createEndlessBody(start),
      headers: headers(shop),
    });
    expect(response).toMatchObject(tooSlow);
  });

  it("is 408 as a page for a form of a hosted page", async () => {
    shortenBodyWait();
    const response = await exports.default.fetch("https://duka.test/pay/x", {
      method: "POST",
      headers: { Origin: "https://duka.test" },
      body: createEndlessBody("action=pay"),
    });
    expect(response.status).toBe(408);
    expect(await response.text()).toContain("The form did not arrive");
  });

  it("leaves an Idempotency-Key unused", async () => {
    const headers = { ...secret(shop), "Content-Type": "text/csv", "Idempotency-Key": "import-1" };
    const path = ofBusiness("/imports")(shop);
    shortenBodyWait();
    const rawBody = createEndlessBody("Handle,Title\n");
    expect((await call("POST", path, { rawBody, headers })).status).toBe(408);
    vi.restoreAllMocks();
    expect((await call("POST", path, { rawBody: mugCsv("S,mug-s,3,10.00"), headers })).status).toBe(
      200,
    );
  });
});

/** An API with the limits of bodies, whose reader may take its time between the chunks. */
function createBodyApi({ workMs = 0 } = {}) {
  const app = new Hono<ApiEnv>();
  app.onError(onError);
  const limit = { maxBytes: 100, message: "The body is too large." };
  app.post("/whole", receiveBody(limit), async (c) => c.text(await c.req.text()));
  app.post("/stream", limitBodyTime, async (c) => {
    let text = "";
    for await (const chunk of c.req.raw.body ?? []) {
      text += new TextDecoder().decode(chunk);
      await new Promise((resolve) => setTimeout(resolve, workMs));
    }
    return c.text(text);
  });
  return app;
}

/** A body whose chunks arrive one by one, each after a pause. */
function createTrickle(chunks: readonly string[], pauseMs: number) {
  const sender = { isCancelled: false };
  const rest = [...chunks];
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        await new Promise((resolve) => setTimeout(resolve, pauseMs));
        const chunk = rest.shift();
        if (sender.isCancelled) return;
        if (chunk === undefined) controller.close();
        else controller.enqueue(encode(chunk));
      },
      cancel() {
        sender.isCancelled = true;
      },
    },
    { highWaterMark: 0 },
  );
  return { body, sender };
}

/** Sends a body in faked time and returns the status, the text and the time until the response. */
async function send(app: Hono<ApiEnv>, path: string, body: ReadableStream) {
  vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"] });
  const startedAt = Date.now();
  let response: Response | null = null;
  const sent = Promise.resolve(app.request(path, { method: "POST", body })).then((received) => {
    response = received;
  });
  while (response === null && Date.now() - startedAt < 200 * second)
    await vi.advanceTimersByTimeAsync(second);
  const waitedMs = Date.now() - startedAt;
  vi.useRealTimers();
  await sent;
  return { response: response as Response | null, waitedMs };
}

describe.each(["/whole", "/stream"])("a body of %s", (path) => {
  it("is given up when it has been waited for for 30 seconds in all", async () => {
    const { body, sender } = createTrickle(Array(99).fill("."), second);
    const { response, waitedMs } = await send(createBodyApi(), path, body);
    expect(response?.status).toBe(408);
    expect(await response?.json()).toMatchObject(tooSlow.body);
    expect(waitedMs).toBeGreaterThanOrEqual(30 * second);
    expect(waitedMs).toBeLessThanOrEqual(32 * second);
    expect(sender.isCancelled).toBe(true);
  });

  it("may take 29 seconds", async () => {
    const { body } = createTrickle(["a", "b", "c"], 7 * second);
    const { response } = await send(createBodyApi(), path, body);
    expect([response?.status, await response?.text()]).toEqual([200, "abc"]);
  });
});

describe("a streamed body", () => {
  it("may take longer when its reader does", async () => {
    const { body } = createTrickle(Array(20).fill("."), second);
    const { response, waitedMs } = await send(
      createBodyApi({ workMs: 4 * second }),
      "/stream",
      body,
    );
    expect([response?.status, await response?.text()]).toEqual([200, ".".repeat(20)]);
    expect(waitedMs).toBeGreaterThan(60 * second);
  });
});

describe("a body that is read as a whole", () => {
  it("is 413 and cancelled as soon as it is too large", async () => {
    const { body, sender } = createTrickle(Array(9).fill(".".repeat(60)), second);
    const { response, waitedMs } = await send(createBodyApi(), "/whole", body);
    expect(response?.status).toBe(413);
    expect(waitedMs).toBeLessThan(4 * second);
    expect(sender.isCancelled).toBe(true);
  });
});
