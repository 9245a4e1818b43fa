import { Card } from "../../../ui/card.tsx";
import { Checkbox, Select, TextField } from "../../../ui/field.tsx";
import { categoryOptions, useCategories } from "../../categories/category-tree.ts";
import { productStatuses } from "../product.tsx";
import type { CardProps } from "./product-cards.tsx";

const statusOptions = [
  { value: "active", name: productStatuses.active.name },
  { value: "inactive", name: `${productStatuses.inactive.name}: not in the shop` },
] as const;

/** Whether a product is sold, and where shoppers find it. */
export function OrganizationCard({ form }: CardProps) {
  const categories = useCategories();
  const active = form.field("is_active");
  return (
    <Card title="Organization">
      <div className="fields">
        <Select
          label="Status"
          options={statusOptions}
          value={active.value ? "active" : "inactive"}
          onChange={(status) => active.onChange(status === "active")}
          error={active.error}
        />
        <Select
          label="Category"
          options={[{ value: "", name: "None" }, ...categoryOptions(categories.data ?? [])]}
          {...form.field("category_id")}
        />
        <TextField
          label="Tags"
          isWhole
          hint="Separate them by commas. Collections can select by tag."
          {...form.field("tags")}
        />
        <TextField
          label="Taxonomy"
          isWhole
          maxLength={128}
          hint="Its id in a product taxonomy of your choice, such as Google's."
          {...form.field("taxonomy_id")}
        />
        <Checkbox label="Featured" {...form.field("featured")} />
      </div>
    </Card>
  );
}
