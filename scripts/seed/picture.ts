/** A product's picture among those that the front serves (functions/front/site/demo). */
export const picture = (name: string) => [{ url: `/demo/${name}.svg`, is_primary: true }];
