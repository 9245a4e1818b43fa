import { type HostedChoice, hostedChoiceOf } from "../../../shared/agents/index.ts";
import type { CatalogueEntry } from "../../../shared/catalogue/index.ts";
import type { AgentCall } from "../agent-call.ts";
import { infoMessage, type MessageView } from "../views/message.ts";
import { productUrl } from "../views/product.ts";

const choices: Readonly<Record<HostedChoice, string>> = {
  time: "a time",
  parts: "its parts",
  options: "its options",
};

/** Says of a product that its buyer has to choose something on its page. */
export function hostedChoiceMessages(
  call: AgentCall,
  { product }: CatalogueEntry,
  path: string,
): readonly MessageView[] {
  const choice = hostedChoiceOf(product);
  if (choice === null) return [];
  const content = `Choose ${choices[choice]} at ${productUrl(call, product)}, where it can be bought.`;
  return [infoMessage("hosted_page_required", content, path)];
}
