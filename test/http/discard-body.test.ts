import { describe, expect, it } from "vitest";
import { discardUnreadBody } from "../../functions/http/discard-body.ts";

const mebibyte = 1024 * 1024;

/** A request whose body has parts of 1 MiB, and counters of what became of them. */
function createUpload(parts: number, headers: Record<string, string> = {}) {
  const seen = { parts: 0, isCancelled: false };
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (seen.parts === parts) return controller.close();
        seen.parts += 1;
        controller.enqueue(new Uint8Array(mebibyte));
      },
      cancel() {
        seen.isCancelled = true;
      },
    },
    { highWaterMark: 0 },
  );
  return { request: new Request("https://duka.test/", { method: "POST", body, headers }), seen };
}

describe("a body that no response needed", () => {
  it("is read to its end, as large as the largest file of an import", async () => {
    const { request, seen } = createUpload(20);
    await discardUnreadBody(request);
    expect(seen).toEqual({ parts: 20, isCancelled: false });
    expect(request.bodyUsed).toBe(true);
  });

  it("is read up to 24 MiB only", async () => {
    const { request, seen } = createUpload(Number.POSITIVE_INFINITY);
    await discardUnreadBody(request);
    expect(seen).toEqual({ parts: 25, isCancelled: true });
  });

  it("is not read when its length is above 24 MiB", async () => {
    const { request, seen } = createUpload(30, { "Content-Length": String(30 * mebibyte) });
    await discardUnreadBody(request);
    expect(seen.parts).toBe(0);
  });

  it("is left to the handler that reads it", async () => {
    const { request, seen } = createUpload(1);
    const reader = request.body?.getReader();
    await discardUnreadBody(request);
    expect(seen.parts).toBe(0);
    expect((await reader?.read())?.value?.byteLength).toBe(mebibyte);
  });

  it("is given up when its sender stops sending for two seconds", async () => {
    let isCancelled = false;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new Uint8Array(10)),
      cancel() {
        isCancelled = true;
      },
    });
    const startedAt = performance.now();
    await discardUnreadBody(new Request("https://duka.test/", { method: "POST", body }));
    expect(isCancelled).toBe(true);
    expect(performance.now() - startedAt).toBeLessThan(9_000);
  });
});
