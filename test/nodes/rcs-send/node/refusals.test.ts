import assert from "node:assert/strict";
import type { Config } from "../../../node/flow";
import { SimulatedService } from "../../../node/simulated-service";
import { literal } from "./literals";

const TO = "+99955500001";
const CARD = "richcardMessage.message.generalPurposeCard";
const CAROUSEL = "richcardMessage.message.generalPurposeCardCarousel";
const CHIP = "suggestedChipList.suggestions[0]";
const titled = (count: number): object[] => Array.from({ length: count }, () => ({ title: "x" }));
const withOptions = { kind: "text", ...literal("suggestions", "msg", "options") };

type Refusal = readonly [sender: Config, msg: Config, parameter: string, saying: RegExp];

const REFUSED: Readonly<Record<string, Refusal>> = {
  "a text of 3073 characters": [
    { kind: "text" },
    { payload: "x".repeat(3073) },
    "textMessage",
    /at most 3072 characters, but has 3073/,
  ],
  "half of an emoji in a reply": [
    withOptions,
    { payload: "x", options: ["yes", "n\udc00"] },
    "suggestedChipList.suggestions[1].reply.displayText",
    /at position 2/,
  ],
  "a payload with NaN": [
    { kind: "raw" },
    {
      payload: {
        RCSMessage: { geolocationPushMessage: { pos: "1 2", list: [1, { radius: Number.NaN }] } },
        messageContact: { userContact: TO },
      },
    },
    "rcsPayload.RCSMessage.geolocationPushMessage.list[1].radius",
    /must be a number, but is NaN$/,
  ],
  "a file that is no address": [{ kind: "file" }, { payload: "a.pdf" }, "fileMessage.fileUrl", /'a\.pdf'/],
  "a latitude of 91": [
    { kind: "location" },
    { payload: { latitude: 91, longitude: 7 } },
    "latitude",
    /at most 90, but is 91/,
  ],
  "a card without anything": [
    { kind: "card", ...literal("description", "blank", "") },
    {},
    `${CARD}.content`,
    /at least one of/,
  ],
  "a picture with its address alone": [
    { kind: "card", ...literal("mediaUrl", "str", "https://example.com/a.png") },
    { payload: "x" },
    `${CARD}.content.media.mediaContentType`,
    /missing; “Picture size” .*missing; “Picture height” .*missing/,
  ],
  "a layout that is none": [
    { kind: "card", ...literal("cardLayout", "msg", "layout") },
    { payload: "x", layout: "HORIZONTAL" },
    `${CARD}.layout`,
    /'VERTICAL' or 'LEFT' or 'RIGHT', but is 'HORIZONTAL'/,
  ],
  "one card in a carousel": [
    { kind: "carousel" },
    { payload: titled(1) },
    `${CAROUSEL}.content`,
    /at least 2 entries, but has 1/,
  ],
  "cards that are text": [{ kind: "carousel" }, { payload: "[cards" }, `${CAROUSEL}.content`, /not JSON/],
  "twelve replies": [
    withOptions,
    { payload: "x", options: Array(12).fill("x") },
    "suggestedChipList.suggestions",
    /at most 11 entries, but has 12/,
  ],
  "a short suggestion with a typing error": [
    withOptions,
    { payload: "x", options: [{ text: "x", urll: "https://example.com" }] },
    `${CHIP}.text`,
    /; .*\.urll is not a field/,
  ],
  "an expiry without zone": [
    { kind: "text", ...literal("expiry", "str", "2030-01-01 10:00") },
    { payload: "x" },
    "expiry",
    /zone/,
  ],
};

describe("rcs-send: refused before anything is sent", () => {
  const service = new SimulatedService({ type: "messaging-rcs-send" });

  for (const [title, [sender, msg, parameter, saying]] of Object.entries(REFUSED)) {
    it(title, async () => {
      const result = await service.refused(sender, { to: TO, ...msg });
      assert.deepEqual([result.operation, result.statusName], ["rcs", "FIELD_INVALID"]);
      assert.equal(result.parameter, parameter);
      assert.ok(result.statusMessage.includes(`(${parameter}`), result.statusMessage);
      assert.match(result.detail, saying);
    });
  }

  it("a reply typed into the node whose source holds nothing, by its number", async () => {
    const suggestions = [
      { value: "Yes", source: "str" },
      { value: "gone", source: "msg" },
    ];
    const result = await service.refused(
      { kind: "text", suggestions, suggestionsSource: "list" },
      { to: TO, payload: "x" },
    );
    assert.match(result.detail, /^“Buttons below” number 2 is set to msg\.gone/);
  });

  it("every message of a node whose way to take a position does not exist", async () => {
    const { send, caught } = await service.start({ kind: "location", positionAs: "stars" });
    send({ to: TO, payload: "x" });
    const [msg] = (await caught.until(1)) as unknown as { error: { message: string } }[];
    assert.match(msg?.error.message ?? "", /'stars'.*coordinates or text/);
  });
});
