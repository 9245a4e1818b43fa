import { useQueryClient } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { useShop } from "../../api/shop.ts";
import { useRecord } from "../../api/use-record.ts";
import { useRecordForm } from "../../api/use-record-form.ts";
import { ArchiveButton } from "../../ui/archive-button.tsx";
import { Card } from "../../ui/card.tsx";
import { changedFields } from "../../ui/changed-fields.ts";
import { EditorForm } from "../../ui/editor-form.tsx";
import { TextField } from "../../ui/field.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { PageHead } from "../../ui/page.tsx";
import { type FormPart, useForm } from "../../ui/use-form.ts";
import { ImageField } from "../categories/image-field.tsx";
import { DetailsCard } from "../products/editor/details-card.tsx";
import { MembersCard } from "./members-card.tsx";
import type { Collection } from "./use-collections.ts";

/** The values of a collection's form, under the names of the API's fields. */
export type CollectionValues = Readonly<{
  name: string;
  slug: string;
  description: string;
  image_url: string;
  sort_order: string;
  /** Whether it has chosen products, or all with certain tags. */
  selection: "manual" | "rule";
  product_ids: readonly string[];
  rule: string;
}>;

const emptyCollection: CollectionValues = {
  name: "",
  slug: "",
  description: "",
  image_url: "",
  sort_order: "0",
  selection: "manual",
  product_ids: [],
  rule: "",
};

const toCollectionValues = (collection: Collection): CollectionValues => ({
  name: collection.name,
  slug: collection.slug,
  description: collection.description,
  image_url: collection.image_url ?? "",
  sort_order: String(collection.sort_order),
  selection: collection.rule ? "rule" : "manual",
  product_ids: collection.product_ids ?? [],
  rule: collection.rule?.tags.join(", ") ?? "",
});

function toCollectionFields({ selection, product_ids: ids, rule, ...values }: CollectionValues) {
  const tags = rule
    .split(",")
    .map((tag) => tag.trim())
    .filter((tag) => tag !== "");
  return {
    ...values,
    slug: values.slug.trim() || null,
    image_url: values.image_url.trim() || null,
    sort_order: Number(values.sort_order),
    ...(selection === "rule" ? { rule: { tags } } : { product_ids: ids }),
  };
}

/** One collection with all that can be changed about it. */
export function CollectionPage() {
  const { api } = useShop();
  const { collectionId } = useParams({ from: "/$businessId/collections/$collectionId" });
  const query = useRecord({
    key: ["collections", collectionId],
    get: (options) => api.collections.get(collectionId, options),
  });
  return (
    <Loaded query={query}>
      {(collection) => <CollectionEditor key={collection.id} collection={collection} />}
    </Loaded>
  );
}

function CollectionEditor({ collection }: Readonly<{ collection: Collection }>) {
  const { api, can } = useShop();
  const navigate = useNavigate({ from: "/$businessId/collections/$collectionId" });
  const form = useRecordForm({
    key: ["collections", collection.id],
    record: collection,
    toValues: toCollectionValues,
    async save(values, first) {
      const fields = changedFields(toCollectionFields(first), toCollectionFields(values));
      return (await api.collections.update(collection.id, fields)).data;
    },
  });
  const isReadOnly = !can("catalogue:write");
  return (
    <>
      <PageHead title={collection.name}>
        {!isReadOnly && (
          <ArchiveButton
            name={collection.name}
            archive={() => api.collections.archive(collection.id)}
            onArchived={() => navigate({ to: "/$businessId/collections", ignoreBlocker: true })}
          >
            Its products stay in the shop.
          </ArchiveButton>
        )}
      </PageHead>
      <EditorForm
        form={form}
        action="Save"
        isReadOnly={isReadOnly}
        onDiscard={() => form.reset(toCollectionValues(collection))}
      >
        <CollectionCards form={form} />
      </EditorForm>
    </>
  );
}

/** The form of a collection that does not exist yet. */
export function NewCollectionPage() {
  const { id, api } = useShop();
  const queryClient = useQueryClient();
  const navigate = useNavigate({ from: "/$businessId/collections/new" });
  const form = useForm(emptyCollection, async (values) => {
    const { data } = await api.collections.create(toCollectionFields(values));
    await queryClient.invalidateQueries({ queryKey: [id, "collections"] });
    await navigate({
      to: "/$businessId/collections/$collectionId",
      params: (before) => ({ ...before, collectionId: data.id }),
      ignoreBlocker: true,
      replace: true,
    });
  });
  return (
    <>
      <PageHead title="New collection" />
      <EditorForm form={form} action="Create collection" isNew>
        <CollectionCards form={form} />
      </EditorForm>
    </>
  );
}

const CollectionCards = ({ form }: Readonly<{ form: FormPart<CollectionValues> }>) => (
  <div className="columns">
    <div className="stack">
      <DetailsCard form={form} />
      <MembersCard form={form} />
    </div>
    <Card title="Display">
      <div className="fields">
        <TextField
          label="Position"
          inputMode="numeric"
          pattern="-?[0-9]*"
          hint="Smaller numbers come first."
          {...form.field("sort_order")}
        />
        <ImageField folder="collections" {...form.field("image_url")} />
      </div>
    </Card>
  </div>
);
