import { describe, expect, it, vi } from "vitest";
import { createWebhookSender } from "../../shared/webhooks/index.ts";

const webhook = { url: "https://receiver.example/hook", headers: { a: "b" }, body: "{}" };

describe("createWebhookSender", () => {
  it("posts the body as it is and does not follow redirects", async () => {
    const seen: unknown[] = [];
    const send = createWebhookSender({
      fetch: async (url, { method, body, headers, redirect }) => {
        seen.push({ url, method, body, headers, redirect });
        return new Response(null, {
          status: 302,
          headers: { Location: "http://169.254.169.254/" },
        });
      },
    });
    expect(await send(webhook)).toEqual({ statusCode: 302, error: "status 302" });
    const headers = {
      a: "b",
      "Content-Type": "application/json",
      "User-Agent": "Duka-Webhooks",
    };
    expect(seen).toEqual([{ ...webhook, headers, method: "POST", redirect: "manual" }]);
  });

  it.each([200, 201, 202, 204, 299])("treats %d as delivered", async (status) => {
    const send = createWebhookSender({ fetch: async () => new Response(null, { status }) });
    expect(await send(webhook)).toEqual({ statusCode: status, error: null });
  });

  it.each([301, 400, 404, 410, 429, 500, 503])("treats %d as a failure", async (status) => {
    const send = createWebhookSender({
      fetch: async () => new Response("secret text", { status }),
    });
    expect(await send(webhook)).toEqual({ statusCode: status, error: `status ${status}` });
  });

  it("times out", async () => {
    const send = createWebhookSender({
      timeoutMs: 20,
      fetch: (_url, { signal }) =>
        new Promise((_resolve, reject) =>
          signal?.addEventListener("abort", () => reject(signal.reason)),
        ),
    });
    expect(await send(webhook)).toEqual({ statusCode: null, error: "timeout" });
  });

  it("clears the timer when the receiver responds", async () => {
    vi.useFakeTimers();
    const signals: AbortSignal[] = [];
    const send = createWebhookSender({
      fetch: async (_url, { signal }) => {
        if (signal) signals.push(signal);
        return new Response(null, { status: 204 });
      },
    });
    await send(webhook);
    expect(vi.getTimerCount()).toBe(0);
    vi.advanceTimersByTime(60_000);
    expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
  });

  it("reports a failed connection without the error's text", async () => {
    const send = createWebhookSender({
      fetch: () => Promise.reject(new Error("connect to 10.0.0.7 refused")),
    });
    expect(await send(webhook)).toEqual({ statusCode: null, error: "connection failed" });
  });

  it("reads a few KiB of an endless response and cancels it", async () => {
    let sentBytes = 0;
    let isCancelled = false;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        sentBytes += 1_024;
        controller.enqueue(new Uint8Array(1_024));
        if (sentBytes > 1_048_576) controller.close(); // ends the test if the sender keeps reading
      },
      cancel() {
        isCancelled = true;
      },
    });
    const send = createWebhookSender({ fetch: async () => new Response(endless) });
    expect(await send(webhook)).toEqual({ statusCode: 200, error: null });
    expect(isCancelled).toBe(true);
    expect(sentBytes).toBeLessThanOrEqual(8_192);
  });

  it("accepts a status that arrived before the connection broke", async () => {
    const broken = new ReadableStream<Uint8Array>({
      pull(controller) {
        controller.error(new Error("reset"));
      },
    });
    const send = createWebhookSender({ fetch: async () => new Response(broken) });
    expect(await send(webhook)).toEqual({ statusCode: 200, error: null });
  });
});
