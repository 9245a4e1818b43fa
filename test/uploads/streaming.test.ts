import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { createFileStore, receiveBytes } from "../../shared/uploads/index.ts";
import { selectRows } from "../support/select-rows.ts";
import { contextFor, createBusiness } from "../support/world.ts";
import {
  callWithBindings,
  createAsset,
  createBytes,
  createFileStoreWith,
  deployCaller,
  reserveTestAsset,
} from "./create-uploads.ts";

const mib = 1_024 * 1_024;
const sizeBytes = 16 * mib;
const chunk = new Uint8Array(64 * 1_024);

/** A large file in chunks, and how many of its bytes were requested. */
function createLargeFile() {
  const file = { requestedBytes: 0 };
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        file.requestedBytes += chunk.length;
        controller.enqueue(chunk);
        if (file.requestedBytes === sizeBytes) controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  return { file, body };
}

it("an upload is streamed to the store without buffering", async () => {
  const shop = await createBusiness();
  const { id } = await reserveTestAsset(deployCaller(shop), sizeBytes);
  const { file, body } = createLargeFile();
  let storedBytes = 0;
  let maxBuffered = 0;
  const slowStore = createFileStoreWith({
    async put(key, bytes) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      for await (const part of bytes as ReadableStream<Uint8Array>) {
        maxBuffered = Math.max(maxBuffered, file.requestedBytes - storedBytes);
        storedBytes += part.length;
      }
      return env.FILES.put(key, "", {});
    },
  });
  const ctx = { ...contextFor(shop), files: createFileStore(slowStore) };
  const declared = { contentType: "image/png", sizeBytes };
  const sent = { ...declared, bytes: body, signal: AbortSignal.timeout(60_000) };
  expect(await receiveBytes(async () => ctx, { uploadId: id, declared, sent })).toBeNull();
  expect(storedBytes).toBe(sizeBytes);
  expect(maxBuffered).toBeLessThan(mib);
});

it("a download is streamed without buffering", async () => {
  const shop = await createBusiness();
  const { id, url } = await createAsset(deployCaller(shop), createBytes(3));
  await selectRows(
    shop,
    "update uploads set size_bytes = ? where id = ? returning id",
    sizeBytes,
    id,
  );
  const { file, body } = createLargeFile();
  const stored = { body } as R2ObjectBody; // safe: nothing else is read
  const FILES = createFileStoreWith({ get: async () => stored });
  const answer = await callWithBindings({ FILES }, new Request(url));
  expect(answer.headers.get("content-length")).toBe(String(sizeBytes));
  const reader = answer.body?.getReader();
  await reader?.read();
  expect(file.requestedBytes).toBeLessThan(mib);
  await reader?.cancel();
});
