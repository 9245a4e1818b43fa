import { describe, expect, it, vi } from "vitest";
import { askProvider, type Fetch } from "../../shared/kernel/index.ts";

const url = "https://provider.example/ask";
const ask = (fetch: Fetch, timeoutMs = 1_000) =>
  askProvider({ fetch, timeoutMs, maxBytes: 16 }, url, { headers: { Accept: "text/plain" } });

describe("asking a provider", () => {
  it("gives its status, headers and text, and follows no redirect", async () => {
    const asked: RequestInit[] = [];
    const answer = await ask(async (_url, init) => {
      asked.push(init);
      return new Response("moved", { status: 302, headers: { Location: "/" } });
    });
    expect(answer).toMatchObject({ type: "answer", status: 302, text: "moved" });
    expect(asked).toMatchObject([{ redirect: "manual", headers: { Accept: "text/plain" } }]);
  });

  it("takes an answer without a body for an empty one", async () => {
    expect(await ask(async () => new Response(null, { status: 204 }))).toMatchObject({ text: "" });
  });

  it("reads no further than it was told, and keeps the status", async () => {
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

  it("gives up a body that begins and never ends, also one that minds no signal", async () => {
    const stuck = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new Uint8Array(1)),
    });
    expect(await ask(async () => new Response(stuck), 20)).toEqual({
      type: "no_answer",
      problem: "timeout",
    });
  });

  it("has no timer left once it was answered", async () => {
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

  it("takes a broken connection for no answer", async () => {
    expect(await ask(() => Promise.reject(new Error("reset")))).toEqual({
      type: "no_answer",
      problem: "connection failed",
    });
  });
});
