import { describe, expect, it, vi } from "vitest";
import { webhookSender } from "../../shared/webhooks/index.ts";

const webhook = { url: "https://receiver.example/hook", headers: { a: "b" }, body: "{}" };

describe("sending a webhook", () => {
  it("posts the body as it is and does not follow redirects", async () => {
    const seen: unknown[] = [];
    const send = webhookSender({
      fetch: async (url, { method, body, headers, redirect }) => {
        seen.push({ url, method, body, headers, redirect });
        return new Response(null, {
          status: 302,
          headers: { Location: "http://169.254.169.254/" },
        });
      },
    });
    expect(await send(webhook)).toEqual({ statusCode: 302, error: "status 302" });
    expect(seen).toEqual([{ ...webhook, method: "POST", redirect: "manual" }]);
  });

  it.each([200, 201, 202, 204, 299])("takes %d for delivered", async (status) => {
    const send = webhookSender({ fetch: async () => new Response(null, { status }) });
    expect(await send(webhook)).toEqual({ statusCode: status, error: null });
  });

  it.each([301, 400, 404, 410, 429, 500, 503])("takes %d for a failure", async (status) => {
    const send = webhookSender({ fetch: async () => new Response("secret text", { status }) });
    expect(await send(webhook)).toEqual({ statusCode: status, error: `status ${status}` });
  });

  it("gives a receiver its time and no more", async () => {
    const send = webhookSender({
      timeoutMs: 20,
      fetch: (_url, { signal }) =>
        new Promise((_resolve, reject) =>
          signal?.addEventListener("abort", () => reject(signal.reason)),
        ),
    });
    expect(await send(webhook)).toEqual({ statusCode: null, error: "timeout" });
  });

  it("keeps no timer of an answered call: nothing of it stays until its time would be over", async () => {
    vi.useFakeTimers();
    const signals: AbortSignal[] = [];
    const send = webhookSender({
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

  it("says of a broken connection that it broke, and nothing that stood in the error", async () => {
    const send = webhookSender({
      fetch: () => Promise.reject(new Error("connect to 10.0.0.7 refused")),
    });
    expect(await send(webhook)).toEqual({ statusCode: null, error: "connection failed" });
  });

  it("reads a few KiB of an endless answer and lets it go", async () => {
    let given = 0;
    let isCancelled = false;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        given += 1_024;
        controller.enqueue(new Uint8Array(1_024));
        if (given > 1_048_576) controller.close(); // whoever reads on comes to an end, too late
      },
      cancel() {
        isCancelled = true;
      },
    });
    const send = webhookSender({ fetch: async () => new Response(endless) });
    expect(await send(webhook)).toEqual({ statusCode: 200, error: null });
    expect(isCancelled).toBe(true);
    expect(given).toBeLessThanOrEqual(8_192);
  });

  it("counts a status that came before the answer broke off", async () => {
    const broken = new ReadableStream<Uint8Array>({
      pull(controller) {
        controller.error(new Error("reset"));
      },
    });
    const send = webhookSender({ fetch: async () => new Response(broken) });
    expect(await send(webhook)).toEqual({ statusCode: 200, error: null });
  });
});
