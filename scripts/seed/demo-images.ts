/** The images of a demo product; `picture` is a file in functions/front/site/demo, such as cafe/tea. */
export const demoImages = (picture: string) => [{ url: `/demo/${picture}.svg`, is_primary: true }];
