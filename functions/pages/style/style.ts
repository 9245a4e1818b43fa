import { shortHash } from "../../../shared/kernel/index.ts";
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
export const styleVersion = shortHash(styleText).toString(36);

/** Likewise for the script of the conversation. */
export const chatScriptVersion = shortHash(chatScript).toString(36);
