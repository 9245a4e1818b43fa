import { useQueryClient } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { useShop } from "../../api/shop.ts";
import { useRecord } from "../../api/use-record.ts";
import { useRecordForm } from "../../api/use-record-form.ts";
import { changedFields } from "../../ui/changed-fields.ts";
import { EditorForm } from "../../ui/editor-form.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { PageHead } from "../../ui/page.tsx";
import { useForm } from "../../ui/use-form.ts";
import { AssembledEditor } from "../products/editor/assembled-editor.tsx";
import { ProductCards } from "../products/editor/product-cards.tsx";
import { NewImagesCard, useNewImages } from "../products/images/new-images-card.tsx";
import { BasePriceCard } from "./base-price-card.tsx";
import {
  type Composite,
  emptyComposite,
  toCompositeFields,
  toCompositeValues,
} from "./composite-values.ts";
import { GroupsCard } from "./groups-card.tsx";
import "../products/products.css";

/** One composite with all that can be changed about it. */
export function CompositePage() {
  const { api } = useShop();
  const { compositeId } = useParams({ from: "/$businessId/composites/$compositeId" });
  const query = useRecord({
    key: ["composites", compositeId],
    get: (options) => api.composites.get(compositeId, options),
  });
  return (
    <Loaded query={query}>
      {(composite) => <CompositeEditor key={composite.id} composite={composite} />}
    </Loaded>
  );
}

function CompositeEditor({ composite }: Readonly<{ composite: Composite }>) {
  const { api } = useShop();
  const navigate = useNavigate({ from: "/$businessId/composites/$compositeId" });
  const form = useRecordForm({
    key: ["composites", composite.id],
    record: composite,
    toValues: toCompositeValues,
    async save(values, first) {
      const fields = changedFields(toCompositeFields(first), toCompositeFields(values));
      return (await api.composites.update(composite.id, fields)).data;
    },
  });
  return (
    <AssembledEditor
      record={composite}
      form={form}
      parts={<GroupsCard form={form} />}
      price={<BasePriceCard form={form} />}
      archiveText="The composite leaves the shop for good. The products that it is made of stay."
      archive={() => api.composites.archive(composite.id)}
      onArchived={() => navigate({ to: "/$businessId/composites", ignoreBlocker: true })}
      onDiscard={() => form.reset(toCompositeValues(composite))}
    />
  );
}

/** The form of a composite that does not exist yet. */
export function NewCompositePage() {
  const { id, api } = useShop();
  const queryClient = useQueryClient();
  const navigate = useNavigate({ from: "/$businessId/composites/new" });
  const images = useNewImages();
  const [firstValues] = useState(emptyComposite);
  const form = useForm(firstValues, async (values) => {
    const { data: composite } = await api.composites.create(toCompositeFields(values));
    await images.upload(composite.product_id);
    await queryClient.invalidateQueries({ queryKey: [id] });
    await navigate({
      to: "/$businessId/composites/$compositeId",
      params: (before) => ({ ...before, compositeId: composite.id }),
      ignoreBlocker: true,
      replace: true,
    });
  });
  return (
    <>
      <PageHead title="New composite" />
      <EditorForm form={form} action="Create composite" isNew>
        <ProductCards
          form={form}
          productId={null}
          parts={<GroupsCard form={form} />}
          price={<BasePriceCard form={form} />}
          images={<NewImagesCard {...images.card} />}
        />
      </EditorForm>
    </>
  );
}
