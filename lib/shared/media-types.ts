export const isMediaType = (text: string): boolean =>
  /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+( *;[\x20-\x7e]*)?$/.test(text) && text.length <= 255;
