export const partId = (base: string, { index }: { readonly index: number }, split: boolean): string =>
  split ? `${base}-${index + 1}` : base;

export const isPartId = (id: string | null, index: number): boolean => id?.endsWith(`-${index + 1}`) === true;
