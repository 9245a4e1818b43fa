import { fieldsOf, listOf, type ResponseFields, textOf } from "./api.ts";
import { createListItem } from "./list-item.ts";
import { createButton, find } from "./page.ts";

type PendingActions = Readonly<{
  /** The text of an address or a mobile-money account. */
  describeAddress(address: ResponseFields): string;
  describeMobileMoney(account: ResponseFields): string;
  describeOrderType(code: unknown): string;
  save(id: string): void;
  discard(id: string): void;
}>;

/** The details that others sent for the account, which its owner saves or discards. */
export function createPendingList(pending: PendingActions) {
  function createItem(record: ResponseFields): HTMLElement {
    const id = textOf(record.id);
    const { name, order_type } = record;
    const orderType = order_type === null ? "" : pending.describeOrderType(order_type);
    const details = [
      textOf(name) && `Name: ${textOf(name)}`,
      pending.describeAddress(fieldsOf(record.address)),
      pending.describeMobileMoney(fieldsOf(record.mobile_money)),
      orderType && `How you usually order: ${orderType}`,
    ].filter(Boolean);
    const subject = details.join("; ");
    const actions = document.createElement("span");
    actions.append(
      createButton("Save", subject, () => pending.save(id)),
      createButton("Discard", subject, () => pending.discard(id)),
    );
    return createListItem([`From ${textOf(record.business_name)}`, ...details], actions);
  }

  return {
    show(records: unknown): void {
      const items = listOf(records).map(createItem);
      find("pending-details").replaceChildren(...items);
      find("pending").hidden = items.length === 0;
    },
  };
}
