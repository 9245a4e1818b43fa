import { z } from "@hono/zod-openapi";
import { merchantCatalogue, type Product } from "../../../../shared/catalogue/index.ts";
import { addProductImage } from "../../../../shared/product-images/index.ts";
import { createRoutes } from "../../../http/app.ts";
import { secretKey } from "../../../http/authentication/access.ts";
import type { RequestContext } from "../../../http/context.ts";
import { envelope, requireJson, route } from "../../../http/contract.ts";
import { createFileContext } from "../../../http/files/receive-upload.ts";
import { cacheShard } from "../../../http/files/shard-lookup.ts";
import { id } from "../../../wire/fields.ts";
import {
  AddOnOptionView,
  VariantView,
  viewAddOnOption,
  viewVariantRecord,
} from "../../../wire/views/catalogue/product.ts";
import { createMerchantContext } from "../../context.ts";
import type { BusinessBindings } from "../../env.ts";
import {
  AddOnOptionPatchFields,
  ImagePatchFields,
  toVariantPatch,
  VariantPatchFields,
} from "../../requests/catalogue/product-part-fields.ts";
import { parseOptionalMoney } from "../../requests/fields.ts";
import { imageFormSchema, readImageForm } from "../../requests/image-file.ts";
import { ProductImageView, viewProductImage } from "../../views/catalogue/product.ts";

const {
  findImageOf,
  findOptionOf,
  findVariantOf,
  productRecordRepo,
  removeAddOnOption,
  removeProductImage,
  removeVariant,
  updateAddOnOption,
  updateProductImage,
  updateVariant,
} = merchantCatalogue;

const path = "/v1/businesses/{business_id}/products/{product_id}";
const params = z.object({ business_id: id(), product_id: id() });

const variantPath = `${path}/variants/{variant_id}` as const;
const variantParams = params.extend({ variant_id: id() });

const optionPath = `${path}/add-ons/{add_on_group_id}/options/{add_on_option_id}` as const;
const optionParams = params.extend({ add_on_group_id: id(), add_on_option_id: id() });

const imagePath = `${path}/images/{image_id}` as const;
const imageParams = params.extend({ image_id: id() });

const readAccess = secretKey("catalogue:read");
const writeAccess = secretKey("catalogue:write");

/** One variant, add-on option or image of a product (docs/contract/business.md#product-parts). */
export const productParts = createRoutes<BusinessBindings>()
  .openapi(
    route("get", variantPath, {
      operationId: "getProductVariant",
      tag: "Products",
      summary: "Get a variant of a product",
      access: readAccess,
      params: variantParams,
      response: VariantView,
    }),
    async (c) => {
      const { product_id, variant_id } = c.req.valid("param");
      const ctx = createMerchantContext(c);
      const variant = findVariantOf(await findProduct(c, product_id), variant_id);
      return c.json(envelope(viewVariantRecord(variant, ctx.business)), 200);
    },
  )
  .openapi(
    route("patch", variantPath, {
      operationId: "updateProductVariant",
      tag: "Products",
      summary: "Update a variant of a product",
      description: "Fields that are left out stay as they are.",
      access: writeAccess,
      rules: ["INVALID_STATE"],
      params: variantParams,
      body: requireJson(VariantPatchFields),
      response: VariantView,
    }),
    async (c) => {
      const ctx = createMerchantContext(c);
      const patch = toVariantPatch(c.req.valid("json"), ctx.business.currency);
      const variant = await updateVariant(ctx, toVariantPath(c.req.valid("param")), patch);
      return c.json(envelope(viewVariantRecord(variant, ctx.business)), 200);
    },
  )
  .openapi(
    route("delete", variantPath, {
      operationId: "removeProductVariant",
      tag: "Products",
      summary: "Remove a variant from a product",
      access: writeAccess,
      rules: ["INVALID_STATE"],
      params: variantParams,
      response: VariantView,
    }),
    async (c) => {
      const ctx = createMerchantContext(c);
      const variant = await removeVariant(ctx, toVariantPath(c.req.valid("param")));
      return c.json(envelope(viewVariantRecord(variant, ctx.business)), 200);
    },
  )
  .openapi(
    route("get", optionPath, {
      operationId: "getProductAddOnOption",
      tag: "Products",
      summary: "Get an add-on option of a product",
      access: readAccess,
      params: optionParams,
      response: AddOnOptionView,
    }),
    async (c) => {
      const { productId, ...optionPath } = toOptionPath(c.req.valid("param"));
      const ctx = createMerchantContext(c);
      const option = findOptionOf(await findProduct(c, productId), optionPath);
      return c.json(envelope(viewAddOnOption(option, ctx.business)), 200);
    },
  )
  .openapi(
    route("patch", optionPath, {
      operationId: "updateProductAddOnOption",
      tag: "Products",
      summary: "Update an add-on option of a product",
      description: "Fields that are left out stay as they are.",
      access: writeAccess,
      rules: ["INVALID_STATE"],
      params: optionParams,
      body: requireJson(AddOnOptionPatchFields),
      response: AddOnOptionView,
    }),
    async (c) => {
      const { name, price } = c.req.valid("json");
      const ctx = createMerchantContext(c);
      const priceMinor = parseOptionalMoney(price, ctx.business.currency, "price");
      const target = toOptionPath(c.req.valid("param"));
      const option = await updateAddOnOption(ctx, target, { name, priceMinor });
      return c.json(envelope(viewAddOnOption(option, ctx.business)), 200);
    },
  )
  .openapi(
    route("delete", optionPath, {
      operationId: "removeProductAddOnOption",
      tag: "Products",
      summary: "Remove an add-on option from a product",
      access: writeAccess,
      rules: ["INVALID_STATE"],
      params: optionParams,
      response: AddOnOptionView,
    }),
    async (c) => {
      const ctx = createMerchantContext(c);
      const option = await removeAddOnOption(ctx, toOptionPath(c.req.valid("param")));
      return c.json(envelope(viewAddOnOption(option, ctx.business)), 200);
    },
  )
  .openapi(
    route("post", `${path}/images`, {
      operationId: "addProductImage",
      tag: "Products",
      summary: "Add an image to a product, from the file of a form",
      access: writeAccess,
      params,
      body: {
        description: "A form with the image, a JPEG, PNG, GIF, WebP or AVIF of at most 20 MiB.",
        content: { "multipart/form-data": { schema: imageFormSchema } },
        required: true,
      },
      response: ProductImageView,
      status: 201,
    }),
    async (c) => {
      const ctx = createMerchantContext(c);
      cacheShard(ctx.business);
      const image = await addProductImage(ctx, c.req.valid("param").product_id, {
        fileContext: await createFileContext(
          c,
          { businessId: ctx.business.id },
          { isForOwner: true },
        ),
        readImage: () => readImageForm(c),
      });
      return c.json(envelope(viewProductImage(image)), 201);
    },
  )
  .openapi(
    route("get", imagePath, {
      operationId: "getProductImage",
      tag: "Products",
      summary: "Get an image of a product",
      access: readAccess,
      params: imageParams,
      response: ProductImageView,
    }),
    async (c) => {
      const { product_id, image_id } = c.req.valid("param");
      const image = findImageOf(await findProduct(c, product_id), image_id);
      return c.json(envelope(viewProductImage(image)), 200);
    },
  )
  .openapi(
    route("patch", imagePath, {
      operationId: "updateProductImage",
      tag: "Products",
      summary: "Update an image of a product",
      description: "Fields that are left out stay as they are.",
      access: writeAccess,
      params: imageParams,
      body: requireJson(ImagePatchFields),
      response: ProductImageView,
    }),
    async (c) => {
      const { url, is_primary: isPrimary, position } = c.req.valid("json");
      const image = await updateProductImage(
        createMerchantContext(c),
        toImagePath(c.req.valid("param")),
        { url, isPrimary, position },
      );
      return c.json(envelope(viewProductImage(image)), 200);
    },
  )
  .openapi(
    route("delete", imagePath, {
      operationId: "removeProductImage",
      tag: "Products",
      summary: "Remove an image from a product",
      access: writeAccess,
      params: imageParams,
      response: ProductImageView,
    }),
    async (c) => {
      const target = toImagePath(c.req.valid("param"));
      const image = await removeProductImage(createMerchantContext(c), target);
      return c.json(envelope(viewProductImage(image)), 200);
    },
  );

const findProduct = async (c: RequestContext, productId: string): Promise<Product> =>
  (await productRecordRepo(createMerchantContext(c)).get(productId)).product;

const toVariantPath = ({ product_id, variant_id }: z.infer<typeof variantParams>) => ({
  productId: product_id,
  variantId: variant_id,
});

const toOptionPath = (path: z.infer<typeof optionParams>) => ({
  productId: path.product_id,
  groupId: path.add_on_group_id,
  optionId: path.add_on_option_id,
});

const toImagePath = ({ product_id, image_id }: z.infer<typeof imageParams>) => ({
  productId: product_id,
  imageId: image_id,
});
