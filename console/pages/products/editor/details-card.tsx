import { Card } from "../../../ui/card.tsx";
import { TextArea, TextField } from "../../../ui/field.tsx";
import type { FormPart } from "../../../ui/use-form.ts";
import type { ProductValues } from "../product-values.ts";

/** What shoppers read about a product. */
export const DetailsCard = ({
  form,
}: Readonly<{ form: FormPart<Pick<ProductValues, "name" | "description" | "slug">> }>) => (
  <Card title="Details">
    <div className="fields">
      <TextField label="Name" isWhole required maxLength={200} {...form.field("name")} />
      <TextArea label="Description" rows={5} maxLength={20_000} {...form.field("description")} />
      <TextField
        label="Slug"
        isWhole
        hint="The end of its address in the shop. Left empty, it is made from the name."
        maxLength={200}
        {...form.field("slug")}
      />
    </div>
  </Card>
);
