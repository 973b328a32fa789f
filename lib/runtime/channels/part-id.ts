/** Client message id of a request. @param base of the whole message @param split whether the message became several requests */
export const partId = (base: string, { index }: { readonly index: number }, split: boolean): string =>
  split ? `${base}-${index + 1}` : base;

export const isPartId = (id: string | null, index: number): boolean => id?.endsWith(`-${index + 1}`) === true;
