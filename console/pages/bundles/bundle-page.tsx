import { useQueryClient } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
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
import { type Bundle, emptyBundle, toBundleFields, toBundleValues } from "./bundle-values.ts";
import { ComponentsCard } from "./components-card.tsx";
import { PricingCard } from "./pricing-card.tsx";
import "../products/products.css";

/** One bundle with all that can be changed about it. */
export function BundlePage() {
  const { api } = useShop();
  const { bundleId } = useParams({ from: "/$businessId/bundles/$bundleId" });
  const query = useRecord({
    key: ["bundles", bundleId],
    get: (options) => api.bundles.get(bundleId, options),
  });
  return (
    <Loaded query={query}>{(bundle) => <BundleEditor key={bundle.id} bundle={bundle} />}</Loaded>
  );
}

function BundleEditor({ bundle }: Readonly<{ bundle: Bundle }>) {
  const { api } = useShop();
  const navigate = useNavigate({ from: "/$businessId/bundles/$bundleId" });
  const form = useRecordForm({
    key: ["bundles", bundle.id],
    record: bundle,
    toValues: toBundleValues,
    async save(values, first) {
      const fields = changedFields(toBundleFields(first), toBundleFields(values));
      return (await api.bundles.update(bundle.id, fields)).data;
    },
  });
  return (
    <AssembledEditor
      record={bundle}
      form={form}
      parts={<ComponentsCard form={form} />}
      price={<PricingCard form={form} />}
      archiveText="The bundle leaves the shop for good. The products in it stay."
      archive={() => api.bundles.archive(bundle.id)}
      onArchived={() => navigate({ to: "/$businessId/bundles", ignoreBlocker: true })}
      onDiscard={() => form.reset(toBundleValues(bundle))}
    />
  );
}

/** The form of a bundle that does not exist yet. */
export function NewBundlePage() {
  const { id, api } = useShop();
  const queryClient = useQueryClient();
  const navigate = useNavigate({ from: "/$businessId/bundles/new" });
  const images = useNewImages();
  const form = useForm(emptyBundle, async (values) => {
    const { data: bundle } = await api.bundles.create(toBundleFields(values));
    await images.upload(bundle.product_id);
    await queryClient.invalidateQueries({ queryKey: [id] });
    await navigate({
      to: "/$businessId/bundles/$bundleId",
      params: (before) => ({ ...before, bundleId: bundle.id }),
      ignoreBlocker: true,
      replace: true,
    });
  });
  return (
    <>
      <PageHead title="New bundle" />
      <EditorForm form={form} action="Create bundle" isNew>
        <ProductCards
          form={form}
          productId={null}
          parts={<ComponentsCard form={form} />}
          price={<PricingCard form={form} />}
          images={<NewImagesCard {...images.card} />}
        />
      </EditorForm>
    </>
  );
}
