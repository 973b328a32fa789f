import type { NewItem } from "../../../nodes/message-digest/store/digest";

export const MINUTE = 60_000;
export const NODE = "n1";

export const newItem = (given: Partial<NewItem> = {}): NewItem => ({
  key: "pump",
  item: '{"payload":"stops"}',
  message: '{"payload":"stops"}',
  sensitive: false,
  wait: 0,
  every: 10 * MINUTE,
  quiet: 15 * MINUTE,
  most: 3,
  ...given,
});
