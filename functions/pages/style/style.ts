import { chatScript } from "../support/chat-script.ts";
import { accountStyle } from "./account.ts";
import { baseStyle } from "./base.ts";
import { serviceStyle } from "./services.ts";
import { shopStyle } from "./shop.ts";
import { supportStyle } from "./support.ts";
import { tokens } from "./tokens.ts";

/** The one style of all pages, without what only its readers need. */
export const styleText = [tokens, baseStyle, shopStyle, serviceStyle, accountStyle, supportStyle]
  .join("\n")
  .replace(/\/\*[\s\S]*?\*\//g, "")
  .replace(/\s*\n\s*/g, "\n");

/** Changes with the style's text, so that its address does. */
export const styleVersion = fingerprint(styleText);

/** Likewise for the script of the conversation. */
export const chatScriptVersion = fingerprint(chatScript);

/** FNV-1a: a name has to be known when the Worker starts, where nothing can be awaited. */
function fingerprint(text: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return (hash >>> 0).toString(36);
}
