import { invalid, type NewId } from "../../kernel/index.ts";
import type { AddOnGroup, AddOnOption } from "../product.ts";
import { paired } from "./keep-ids.ts";
import type { AddOnDraft, AddOnOptionDraft } from "./product-draft.ts";

const keys = [({ name }: { name: string }) => name];

/** A product's add-on groups from what was written; groups and options that stay keep their ids. */
export function addOnsFrom(
  drafts: readonly AddOnDraft[],
  previous: readonly AddOnGroup[],
  newId: NewId,
): AddOnGroup[] {
  const pairs = paired(drafts, previous, { keys, field: "add_ons" });
  return drafts.map((draft, index) => ({
    ...draft,
    id: pairs[index]?.id ?? newId("grp"),
    options: optionsFrom(draft.options, pairs[index]?.options ?? [], {
      field: `add_ons.${index}.options`,
      newId,
    }),
  }));
}

function optionsFrom(
  drafts: readonly AddOnOptionDraft[],
  previous: readonly AddOnOption[],
  { field, newId }: { field: string; newId: NewId },
): AddOnOption[] {
  const pairs = paired(drafts, previous, { keys, field });
  return drafts.map((draft, index) => {
    if (draft.priceMinor < 0) throw invalid(`${field}.${index}.price`, "must not be negative");
    return { ...draft, id: pairs[index]?.id ?? newId("opt") };
  });
}
