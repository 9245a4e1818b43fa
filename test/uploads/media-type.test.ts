import { expect, it } from "vitest";
import { isMediaType, isSafeToDisplayInline } from "../../shared/uploads/index.ts";

it.each([
  "image/png",
  "IMAGE/PNG; charset=x",
  "application/pdf",
  "font/woff2",
  "video/webm;codecs=vp8,opus",
  'video/mp4; codecs="avc1.42E01E, mp4a.40.2"',
])("%s is display-only", (contentType) => {
  expect(isMediaType(contentType)).toBe(true);
  expect(isSafeToDisplayInline(contentType)).toBe(true);
});

// Browsers run any XML, and use the last of several types (Fetch, MIME Sniffing).
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
])("%s may run scripts", (contentType) => {
  expect(isMediaType(contentType)).toBe(true);
  expect(isSafeToDisplayInline(contentType)).toBe(false);
});
