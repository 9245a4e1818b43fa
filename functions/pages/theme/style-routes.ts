import type { PageContext } from "../env.ts";
import { chatScriptVersion, styleText, styleVersion } from "../style/style.ts";
import { chatScript } from "../support/chat-script.ts";
import { accentColors } from "./accent.ts";

/** Behind a hyphen, with which no slug begins. */
const folder = "/shop/-";

export const stylePath = `${folder}/style-${styleVersion}.css`;

export const chatScriptPath = `${folder}/chat-${chatScriptVersion}.js`;

export const iconPath = `${folder}/icon.svg`;

const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#12664f"/><path d="M9 12h14l1 12H8l1-12Zm4 0v-1a3 3 0 0 1 6 0v1" fill="none" stroke="#fff" stroke-width="2"/></svg>';

/** The path of a shop's colours; null for a shop that has none of its own. */
export const themePath = (accent: string | null): string | null =>
  accent === null ? null : `${folder}/theme-${accent.slice(1)}-${styleVersion}.css`;

/** The only folder from which the pages take styles; merchants' files are elsewhere on the host. */
export const styleFolder = `${folder}/`;

/** Serves a style. Its name changes with its content, so browsers keep it. */
export async function serveStyle(c: PageContext): Promise<Response> {
  const { pathname } = new URL(c.req.url);
  if (pathname === chatScriptPath) return respond(c, chatScript, "text/javascript");
  if (pathname === iconPath) return respond(c, icon, "image/svg+xml");
  const accent = /^\/shop\/-\/theme-([0-9a-f]{6})-\w+\.css$/.exec(pathname)?.[1];
  const isStyle = /^\/shop\/-\/style-\w+\.css$/.test(pathname);
  if (accent === undefined && !isStyle) return c.body(null, 404);
  return respond(c, accent === undefined ? styleText : themeText(`#${accent}`), "text/css");
}

const respond = (c: PageContext, text: string, type: string): Response =>
  c.body(text, 200, {
    "Content-Type": `${type}; charset=UTF-8`,
    "Cache-Control": "public, max-age=31536000, immutable",
    "X-Content-Type-Options": "nosniff",
  });

function themeText(color: string): string {
  const { accent, onAccent, onLight, onDark } = accentColors(color);
  return `:root{--accent:${accent};--on-accent:${onAccent};--accent-text:light-dark(${onLight},${onDark})}`;
}
