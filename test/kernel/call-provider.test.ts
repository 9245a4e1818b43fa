import { describe, expect, it, vi } from "vitest";
import { callProvider, type Fetch } from "../../shared/kernel/index.ts";

const url = "https://provider.example/ask";
const ask = (fetch: Fetch, timeoutMs = 1_000) =>
  callProvider({ fetch, timeoutMs, maxBytes: 16 }, url, { headers: { Accept: "text/plain" } });

describe("callProvider", () => {
  it("returns the status, headers and text and follows no redirect", async () => {
    const calls: RequestInit[] = [];
    const answer = await ask(async (_url, init) => {
      calls.push(init);
      return new Response("moved", { status: 302, headers: { Location: "/" } });
    });
    expect(answer).toMatchObject({ type: "answer", status: 302, text: "moved" });
    expect(calls).toMatchObject([{ redirect: "manual", headers: { Accept: "text/plain" } }]);
  });

  it("reads a missing body as an empty text", async () => {
    expect(await ask(async () => new Response(null, { status: 204 }))).toMatchObject({ text: "" });
  });

  it("stops reading at the size limit and keeps the status", async () => {
    let isCancelled = false;
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new Uint8Array(10).fill(32)),
      cancel() {
        isCancelled = true;
      },
    });
    const answer = await ask(async () => new Response(endless, { status: 400 }));
    expect(answer).toMatchObject({ type: "answer", status: 400, text: null });
    expect(isCancelled).toBe(true);
  });

  it("times out on a body that never ends, also one that ignores the signal", async () => {
    const stuck = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new Uint8Array(1)),
    });
    expect(await ask(async () => new Response(stuck), 20)).toEqual({
      type: "no_answer",
      problem: "timeout",
    });
  });

  it("leaves no timer after a response", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const signals: (AbortSignal | null | undefined)[] = [];
    await ask(async (_url, { signal }) => {
      signals.push(signal);
      return new Response("done");
    });
    expect(vi.getTimerCount()).toBe(0);
    vi.advanceTimersByTime(2_000);
    expect(signals).toMatchObject([{ aborted: false }]);
  });

  it("reports a broken connection as no answer", async () => {
    expect(await ask(() => Promise.reject(new Error("reset")))).toEqual({
      type: "no_answer",
      problem: "connection failed",
    });
  });
});
