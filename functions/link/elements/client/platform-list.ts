import { listOf, type ResponseFields, textOf } from "./api.ts";
import { askBeforeRemoval, createListItem } from "./list-item.ts";
import { createButton, find } from "./page.ts";

const scopeTexts: Readonly<Record<string, string>> = {
  "dev.ucp.shopping.order:read": "sees your orders",
  "dev.ucp.shopping.checkout:manage": "fills in your details and orders for you",
};

const dateText = (value: unknown): string =>
  new Date(textOf(value)).toLocaleDateString("en", { dateStyle: "medium" });

/** The apps that may act for the account's owner, each with a button that disconnects it. */
export function createPlatformList({ disconnect }: Readonly<{ disconnect(id: string): void }>) {
  function createItem(record: ResponseFields): HTMLElement {
    const name = textOf(record.name);
    const actions = document.createElement("span");
    const showActions = () =>
      actions.replaceChildren(
        createButton("Disconnect", name, () => askBeforeRemoval(actions, removal)),
      );
    const removal = {
      subject: name,
      label: "Disconnect now",
      remove: () => disconnect(textOf(record.id)),
      cancel: showActions,
    };
    showActions();
    const { scopes } = record;
    const allowed = (Array.isArray(scopes) ? scopes : [])
      .map((scope) => scopeTexts[textOf(scope)])
      .filter(Boolean);
    return createListItem(
      [
        `${name} (${textOf(record.host)})`,
        `It ${allowed.join(", and ")}.`,
        `Connected on ${dateText(record.linked_at)}, last used on ${dateText(record.last_used_at)}`,
      ],
      actions,
    );
  }

  return {
    show(records: unknown): void {
      const items = listOf(records).map(createItem);
      find("platforms").replaceChildren(...items);
      find("connected").hidden = items.length === 0;
    },
  };
}
