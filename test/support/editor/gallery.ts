import type { EditorPage } from "./editor";

/** A dialog by its name, with the properties that differ from a new node. */
export interface Shot {
  readonly file: string;
  readonly type: string;
  readonly properties: Readonly<Record<string, unknown>>;
}

const shot = (file: string, type: string, properties: Shot["properties"]): Shot => ({
  file,
  type,
  properties,
});

const str = (name: string, value: string) => ({ [name]: value, [`${name}Source`]: "str" });
const json = (name: string, value: unknown) => ({
  [name]: JSON.stringify(value),
  [`${name}Source`]: "json",
});

const entry = (source: string, value: string) => ({ value, source });

const SUGGESTIONS = [
  { text: "That suits me", data: "confirm" },
  { text: "Call us", phone: "+41445550100" },
];

const card = (title: string, description: string) => ({
  title,
  description,
  media: {
    mediaUrl: "https://www.example.com/pictures/table.jpg",
    mediaContentType: "image/jpeg",
    mediaFileSize: 48213,
    height: "MEDIUM_HEIGHT",
  },
  suggestions: SUGGESTIONS.slice(0, 1),
});

/** Every kind of every dialog. */
export const GALLERY: readonly Shot[] = [
  shot("sms-send", "messaging-sms-send", {
    ...str("recipientAddressList", "+41 79 955 60 01, +41 79 955 60 02"),
    ...str("messageContent", "Your parcel is on its way – it arrives on Friday between 8 and 10."),
  }),
  shot("whatsapp-text", "messaging-whatsapp-send", { kind: "text" }),
  shot("whatsapp-media", "messaging-whatsapp-send", { kind: "media" }),
  shot("whatsapp-template", "messaging-whatsapp-send", {
    kind: "template",
    ...str("templateName", "parcel_arrives"),
    ...str("templateLocale", "en"),
    localizableParamsSource: "list",
    localizableParams: [entry("msg", "payload.firstName"), entry("str", "Friday")],
    templateText: "Hello {{1}}, your parcel arrives on {{2}} between {{3}}.",
  }),
  shot("whatsapp-broadcast", "messaging-whatsapp-send", { kind: "broadcast" }),
  shot("rcs-text", "messaging-rcs-send", { kind: "text" }),
  shot("rcs-file", "messaging-rcs-send", { kind: "file" }),
  shot("rcs-audio", "messaging-rcs-send", { kind: "audio" }),
  shot("rcs-location", "messaging-rcs-send", { kind: "location" }),
  shot("rcs-card", "messaging-rcs-send", {
    kind: "card",
    ...str("title", "Your table for two"),
    ...str("description", "Friday at 19:30, by the window."),
    ...str("mediaUrl", "https://www.example.com/pictures/table.jpg"),
    ...str("mediaContentType", "image/jpeg"),
    mediaFileSize: "48213",
    mediaFileSizeSource: "num",
    mediaHeight: "MEDIUM_HEIGHT",
    mediaHeightSource: "choice",
    ...json("cardSuggestions", SUGGESTIONS),
  }),
  shot("rcs-carousel", "messaging-rcs-send", {
    kind: "carousel",
    ...json("cards", [card("By the window", "For two"), card("In the garden", "For up to six")]),
  }),
  shot("rcs-raw", "messaging-rcs-send", { kind: "raw" }),
  shot("media-download", "messaging-media-transfer", { kind: "download" }),
  shot("media-upload", "messaging-media-transfer", { kind: "upload", outputs: 4 }),
  shot("media-attachment", "messaging-media-transfer", { kind: "attachment", outputs: 4 }),
  shot("webhook-in", "messaging-webhook-in", { kind: "inbound" }),
  shot("webhook-status", "messaging-webhook-in", { kind: "status" }),
  shot("webhook-ack", "messaging-webhook-ack", {}),
  shot("message-log", "messaging-message-log", { kind: "id" }),
  shot("message-log-number", "messaging-message-log", { kind: "number" }),
  shot("message-log-search", "messaging-message-log", {
    kind: "search",
    outcome: "rejected",
    outcomeSource: "choice",
  }),
  shot("message-log-report", "messaging-message-log", { kind: "report" }),
  shot("message-log-state", "messaging-message-log", { kind: "state", openMetrics: true }),
  shot("opt-out-add", "messaging-opt-out", { kind: "add" }),
  shot("opt-out-check", "messaging-opt-out", { kind: "check", outputs: 2 }),
  shot("opt-out-list", "messaging-opt-out", { kind: "list" }),
  shot("opt-out-import", "messaging-opt-out", { kind: "import" }),
  shot("message-wait-delivered", "messaging-message-wait", { kind: "delivered" }),
  shot("message-wait-words", "messaging-message-wait", { kind: "reply", match: "words", outputs: 4 }),
  shot("message-wait-pattern", "messaging-message-wait", {
    kind: "reply",
    match: "pattern",
    pattern: "^(yes|ok)\\b",
    outputs: 4,
  }),
  shot("verify-code-make", "messaging-verify-code", {
    kind: "make",
    template: "{{code}} is your code. It is valid for {{minutes}} minutes. Do not give it to anybody.",
    caller: "req.ip",
    callerSource: "msg",
  }),
  shot("verify-code-check", "messaging-verify-code", {
    kind: "check",
    caller: "req.ip",
    callerSource: "msg",
    outputs: 3,
  }),
  shot("message-digest", "messaging-message-digest", {
    key: "topic",
    keySource: "msg",
    first: "wait",
    one: "One message, at {{first.time}}: {{first.payload}}",
    several: "{{count}} messages since {{first.time}}, the latest at {{last.time}}: {{last.payload}}",
    over: "Quiet since {{last.time}}. Messages in all: {{total}}.",
  }),
];

/** Puts a node of each dialog into the editor, as if it had been dragged in and filled in. @param account its id */
export async function fillGallery(editor: EditorPage, account: string): Promise<void> {
  await editor.page.evaluate(
    `(() => {
      const nodes = ${JSON.stringify(GALLERY)}.map(({ file, type, properties }, at) => {
        const node = { id: "shot-" + file, type, z: RED.workspaces.active(), x: 200 + 250 * (at % 3), y: 60 + 70 * Math.floor(at / 3), wires: [] };
        for (const [name, { value }] of Object.entries(RED.nodes.getType(type).defaults)) {
          node[name] = structuredClone(value);
        }
        if ("account" in node) node.account = "${account}";
        return Object.assign(node, properties);
      });
      RED.nodes.import(nodes, { generateIds: false });
      RED.nodes.dirty(true);
      RED.view.redraw(true);
    })()`,
  );
}

/** Opens the dialog of one of them. */
export const openShot = (editor: EditorPage, { file }: Shot): Promise<void> => editor.show(`shot-${file}`);
