import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useShop } from "../../../api/shop.ts";
import { EditorForm } from "../../../ui/editor-form.tsx";
import { PageHead } from "../../../ui/page.tsx";
import { useForm } from "../../../ui/use-form.ts";
import { NewImagesCard, useNewImages } from "../images/new-images-card.tsx";
import { emptyProduct, toProductFields } from "../product-values.ts";
import { ProductCards } from "./product-cards.tsx";
import "../products.css";

/** The form of a product that does not exist yet. */
export function NewProductPage() {
  const { id, api } = useShop();
  const queryClient = useQueryClient();
  const navigate = useNavigate({ from: "/$businessId/products/new" });
  const images = useNewImages();
  const form = useForm(emptyProduct, async (values) => {
    const { data: product } = await api.products.create(toProductFields(values));
    await images.upload(product.id);
    await queryClient.invalidateQueries({ queryKey: [id] });
    await navigate({
      to: "/$businessId/products/$productId",
      params: (before) => ({ ...before, productId: product.id }),
      ignoreBlocker: true,
      replace: true,
    });
  });
  return (
    <>
      <PageHead title="New product" />
      <EditorForm form={form} action="Create product" isNew>
        <ProductCards form={form} productId={null} images={<NewImagesCard {...images.card} />} />
      </EditorForm>
    </>
  );
}
