import { expect, it } from "vitest";
import { isMediaType, isPassive } from "../../shared/uploads/index.ts";

it.each([
  "image/png",
  "IMAGE/PNG; charset=x",
  "application/pdf",
  "font/woff2",
  "video/webm;codecs=vp8,opus",
  'video/mp4; codecs="avc1.42E01E, mp4a.40.2"',
])("%s is merely shown", (contentType) => {
  expect(isMediaType(contentType)).toBe(true);
  expect(isPassive(contentType)).toBe(true);
});

// A browser runs XML of any name, and of several types it believes the last (Fetch, MIME Sniffing).
it.each([
  "text/html",
  "image/svg+xml",
  "image/svg",
  "image/anything+xml",
  "video/x+XML; charset=utf-8",
  "image/png;,text/html",
  "image/png;a=b, image/svg+xml",
  'image/png;a="b", text/html;c="',
  "application/pdf;,application/xhtml+xml",
  "application/octet-stream",
])("%s may run as a page", (contentType) => {
  expect(isMediaType(contentType)).toBe(true);
  expect(isPassive(contentType)).toBe(false);
});
