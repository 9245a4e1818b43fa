import { invalid, type NewId } from "../../kernel/index.ts";
import type { AddOnGroup, AddOnOption } from "../product.ts";
import { matchEntries } from "./match-entries.ts";
import type { AddOnDraft, AddOnOptionDraft } from "./product-draft.ts";

const addOnKeys = [({ name }: { name: string }) => name];

/**
 * A product's add-on groups from a merchant's input. A group or option that matches a previous
 * entry keeps the previous id.
 *
 * @throws Refusal VALIDATION_ERROR naming the field.
 */
export function buildAddOns(
  drafts: readonly AddOnDraft[],
  previous: readonly AddOnGroup[],
  newId: NewId,
): AddOnGroup[] {
  const matches = matchEntries(drafts, previous, { keys: addOnKeys, field: "add_ons" });
  return drafts.map((draft, index) => ({
    ...draft,
    id: matches[index]?.id ?? newId("grp"),
    options: buildOptions(draft.options, matches[index]?.options ?? [], {
      field: `add_ons.${index}.options`,
      newId,
    }),
  }));
}

function buildOptions(
  drafts: readonly AddOnOptionDraft[],
  previous: readonly AddOnOption[],
  { field, newId }: { field: string; newId: NewId },
): AddOnOption[] {
  const matches = matchEntries(drafts, previous, { keys: addOnKeys, field });
  return drafts.map((draft, index) => {
    if (draft.priceMinor < 0) throw invalid(`${field}.${index}.price`, "must not be negative");
    return { ...draft, id: matches[index]?.id ?? newId("opt") };
  });
}
