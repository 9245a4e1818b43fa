/** The images of a demo product; the file is in functions/front/site/demo. */
export const demoImages = (name: string) => [{ url: `/demo/${name}.svg`, is_primary: true }];
