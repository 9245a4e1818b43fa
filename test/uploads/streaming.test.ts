import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { openFiles, receiveBytes } from "../../shared/uploads/index.ts";
import { rowsOf } from "../support/shop-database.ts";
import { contextFor, givenBusiness } from "../support/world.ts";
import { askWith, bytesOf, deployer, filesWith, givenAsset, givenAssetPlace } from "./given.ts";

const mib = 1_024 * 1_024;
const sizeBytes = 16 * mib;
const piece = new Uint8Array(64 * 1_024);

/** A large file in pieces, and how many bytes of it somebody has asked for. */
function largeFile() {
  const file = { asked: 0 };
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        file.asked += piece.length;
        controller.enqueue(piece);
        if (file.asked === sizeBytes) controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  return { file, body };
}

it("bytes on their way to the store are held nowhere: the sender is never far ahead of it", async () => {
  const shop = await givenBusiness();
  const { id } = await givenAssetPlace(deployer(shop), sizeBytes);
  const { file, body } = largeFile();
  let kept = 0;
  let mostAhead = 0;
  const slowStore = filesWith({
    async put(key, bytes) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      for await (const part of bytes as ReadableStream<Uint8Array>) {
        mostAhead = Math.max(mostAhead, file.asked - kept);
        kept += part.length;
      }
      return env.FILES.put(key, "", {});
    },
  });
  const ctx = { ...contextFor(shop), files: openFiles(slowStore) };
  const declared = { contentType: "image/png", sizeBytes };
  const sent = { ...declared, bytes: body, signal: AbortSignal.timeout(60_000) };
  expect(await receiveBytes(async () => ctx, { uploadId: id, declared, sent })).toBeNull();
  expect(kept).toBe(sizeBytes);
  expect(mostAhead).toBeLessThan(mib);
});

it("nor are bytes on their way to a reader", async () => {
  const shop = await givenBusiness();
  const { id, url } = await givenAsset(deployer(shop), bytesOf(3));
  await rowsOf(shop, "update uploads set size_bytes = ? where id = ? returning id", sizeBytes, id);
  const { file, body } = largeFile();
  const stored = { body } as R2ObjectBody; // safe: nothing else is read
  const FILES = filesWith({ get: async () => stored });
  const answer = await askWith({ FILES }, new Request(url));
  expect(answer.headers.get("content-length")).toBe(String(sizeBytes));
  const reader = answer.body?.getReader();
  await reader?.read();
  expect(file.asked).toBeLessThan(mib);
  await reader?.cancel();
});
