/**
 * Node colours: one family, of the same lightness, in which each channel has its own hue. Light enough for the
 * editor's dark label, dark enough for the white icon.
 */
export const PALETTE = {
  sms: "#6FB3D2",
  whatsapp: "#7DC08A",
  rcs: "#A99BD6",
  media: "#DDA873",
  webhook: "#8FA6B8",
  log: "#D298AC",
  optOut: "#BDAF6C",
  wait: "#86BDB0",
  code: "#C9A0A0",
} as const;

/** Palette category of all nodes of this package. */
export const CATEGORY = "messaging";
