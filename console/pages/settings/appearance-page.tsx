import { useShop } from "../../api/shop.ts";
import { Card } from "../../ui/card.tsx";
import { EditorForm } from "../../ui/editor-form.tsx";
import { TextField } from "../../ui/field.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { textOn } from "./text-on.ts";
import { type BusinessAccount, useBusiness, useBusinessForm } from "./use-business.ts";

/** How the hosted pages of the shop look, and where they are. */
export function AppearancePage() {
  const query = useBusiness();
  return <Loaded query={query}>{(business) => <AppearanceForm business={business} />}</Loaded>;
}

const toValues = ({ slug, appearance }: BusinessAccount) => ({
  slug,
  logo_url: appearance.logo_url ?? "",
  accent_color: appearance.accent_color ?? "",
});

/** The colour of pages without one of their own. */
const usualColor = "#12664f";
const isColor = (text: string): boolean => /^#[0-9a-f]{6}$/i.test(text);

function AppearanceForm({ business }: Readonly<{ business: BusinessAccount }>) {
  const { can } = useShop();
  const form = useBusinessForm(business, toValues, ({ slug, logo_url, accent_color }) => ({
    slug,
    appearance: {
      logo_url: logo_url.trim() || null,
      accent_color: accent_color.trim() || null,
    },
  }));
  const slug = form.field("slug");
  const logo = form.field("logo_url");
  const color = form.field("accent_color");
  const shown = isColor(color.value) ? color.value : usualColor;
  const address = `/shop/${business.slug}`;
  return (
    <EditorForm
      form={form}
      action="Save"
      isReadOnly={!can("settings:write")}
      onDiscard={() => form.reset(toValues(business))}
    >
      <Card title="Address">
        <div className="stack">
          <TextField
            label="Name in the address"
            hint="Lower-case letters, digits and hyphens. Links with the former name stop working."
            required
            maxLength={200}
            {...slug}
          />
          <p>
            Your shop is at <a href={address}>{`${location.origin}${address}`}</a>
          </p>
        </div>
      </Card>
      <Card title="Look">
        <div className="fields">
          <TextField
            label="Accent colour"
            hint="For buttons and links, such as #12664f. Left empty, the usual one."
            maxLength={7}
            {...color}
            error={color.error ?? form.errors["appearance.accent_color"]}
          />
          <TextField
            label="Pick a colour"
            type="color"
            {...color}
            value={shown}
            error={undefined}
          />
          <TextField
            label="Address of the logo"
            hint="An https address of an image. Left empty, the shop's name is shown."
            isWhole
            maxLength={2048}
            {...logo}
            error={logo.error ?? form.errors["appearance.logo_url"]}
          />
        </div>
        <ColorPreview name={business.name} color={shown} />
      </Card>
    </EditorForm>
  );
}

/** A shop's head and button in the colour. The text on it is the more readable of black and white. */
const ColorPreview = ({ name, color }: Readonly<{ name: string; color: string }>) => (
  <figure className="color-preview">
    <div aria-hidden="true">
      <strong>{name}</strong>
      <span className="sample" style={{ background: color, color: textOn(color) }}>
        Add to cart
      </span>
    </div>
    <figcaption className="hint">
      The shop darkens or lightens the colour where a text in it would be hard to read.
    </figcaption>
  </figure>
);
