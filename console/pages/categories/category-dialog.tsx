import { useQueryClient } from "@tanstack/react-query";
import { useShop } from "../../api/shop.ts";
import { changedFields } from "../../ui/changed-fields.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { FormDialog } from "../../ui/dialog.tsx";
import { Select, TextArea, TextField } from "../../ui/field.tsx";
import { useForm } from "../../ui/use-form.ts";
import { type CategoryNode, categoryOptions, useCategories } from "./category-tree.ts";
import { ImageField } from "./image-field.tsx";

type CategoryValues = Readonly<{
  name: string;
  slug: string;
  parent_id: string;
  description: string;
  image_url: string;
  sort_order: string;
}>;

type CategoryDialogProps = Readonly<{
  /** The category to change; null to create one. */
  node: CategoryNode | null;
  /** Where a new category lies. */
  parent: CategoryNode | null;
  onClose: () => void;
}>;

/** Creates or changes a category. */
export function CategoryDialog({ node, parent, onClose }: CategoryDialogProps) {
  const { api } = useShop();
  const queryClient = useQueryClient();
  const categories = useCategories();
  const category = node?.category;
  const form = useForm<CategoryValues>(
    {
      name: category?.name ?? "",
      slug: category?.slug ?? "",
      parent_id: category?.parent_id ?? parent?.category.id ?? "",
      description: category?.description ?? "",
      image_url: category?.image_url ?? "",
      sort_order: String(category?.sort_order ?? 0),
    },
    async (values, first) => {
      if (category) {
        await api.categories.update(
          category.id,
          changedFields(toCategoryFields(first), toCategoryFields(values)),
        );
      } else await api.categories.create(toCategoryFields(values));
      await queryClient.invalidateQueries();
    },
  );
  // A category cannot lie in itself or below itself.
  const parents = (categories.data ?? []).filter(
    ({ category: other, ancestors }) =>
      !category || (other.id !== category.id && !ancestors.includes(category.id)),
  );
  return (
    <FormDialog
      title={category ? category.name : "New category"}
      action={category ? "Save" : "Create category"}
      form={form}
      onClose={onClose}
    >
      <TextField label="Name" required maxLength={200} {...form.field("name")} />
      <Select
        label="Below"
        options={[{ value: "", name: "None: it is at the top" }, ...categoryOptions(parents)]}
        {...form.field("parent_id")}
      />
      <div className="fields">
        <TextField
          label="Slug"
          maxLength={200}
          hint="Left empty, it is made from the name."
          {...form.field("slug")}
        />
        <TextField
          label="Position"
          inputMode="numeric"
          pattern="-?[0-9]*"
          hint="Smaller numbers come first."
          {...form.field("sort_order")}
        />
      </div>
      <ImageField folder="categories" {...form.field("image_url")} />
      <TextArea label="Description" rows={3} maxLength={20_000} {...form.field("description")} />
    </FormDialog>
  );
}

const toCategoryFields = (values: CategoryValues) => ({
  ...values,
  slug: values.slug.trim() || null,
  parent_id: values.parent_id || null,
  image_url: values.image_url.trim() || null,
  sort_order: Number(values.sort_order),
});

export function ArchiveCategoryDialog({
  node: { category },
  onClose,
}: Readonly<{ node: CategoryNode; onClose: () => void }>) {
  const { api } = useShop();
  const queryClient = useQueryClient();
  return (
    <ConfirmDialog
      title={`Archive ${category.name}`}
      action="Archive"
      onConfirm={async () => {
        await api.categories.archive(category.id);
        await queryClient.invalidateQueries();
      }}
      onClose={onClose}
    >
      Its products and the categories below it move up to the category above it.
    </ConfirmDialog>
  );
}
