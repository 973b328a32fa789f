import assert from "node:assert/strict";
import { type Config, resultOf } from "../flow";
import { SimulatedService } from "../simulated-service";
import { literal, literals } from "./literals";

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
  "an empty text": [{ kind: "text" }, { payload: "" }, "textMessage", /empty/],
  "a text that is NaN": [{ kind: "text" }, { payload: Number.NaN }, "textMessage", /but is NaN$/],
  "half of an emoji": [{ kind: "text" }, { payload: "ab\ud83d" }, "textMessage", /at position 3/],
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
  "a payload with a date that is none": [
    { kind: "raw" },
    {
      payload: {
        RCSMessage: { textMessage: "x", expiry: new Date(Number.NaN) },
        messageContact: { userContact: TO },
      },
    },
    "rcsPayload.RCSMessage.expiry",
    /invalid/,
  ],
  "a payload with a number too large for JSON": [
    { kind: "raw" },
    {
      payload: `{"RCSMessage":{"textMessage":"x","n":1e999},"messageContact":{"userContact":"${TO}"}}`,
    },
    "rcsPayload.RCSMessage.n",
    /but is Infinity$/,
  ],
  "a payload with half of an emoji": [
    { kind: "raw" },
    {
      payload: { RCSMessage: { textMessage: "x\ud83d" }, messageContact: { userContact: TO } },
    },
    "rcsPayload.RCSMessage.textMessage",
    /at position 2/,
  ],
  "a payload with half of an emoji in a name": [
    { kind: "raw" },
    {
      payload: { RCSMessage: { textMessage: "x", "\ud83d": 1 }, messageContact: { userContact: TO } },
    },
    "rcsPayload.RCSMessage.\\ud83d",
    /at position 1/,
  ],
  "a text that is an object": [{ kind: "text" }, { payload: {} }, "textMessage", /text/],
  "a file that is no address": [{ kind: "file" }, { payload: "a.pdf" }, "fileMessage.fileUrl", /'a\.pdf'/],
  "a size that is none": [
    { kind: "audio", ...literal("audioSize", "str", "big") },
    { payload: "https://example.com/a" },
    "audioMessage.fileSize",
    /whole number.*'big'/,
  ],
  "a latitude of 91": [
    { kind: "location" },
    { payload: { latitude: 91, longitude: 7 } },
    "latitude",
    /at most 90, but is 91/,
  ],
  "a longitude that is a word": [
    { kind: "location" },
    { payload: { latitude: 1, longitude: "east" } },
    "longitude",
    /'east'/,
  ],
  "a card without anything": [
    { kind: "card", ...literal("description", "blank", "") },
    {},
    `${CARD}.content`,
    /at least one of/,
  ],
  "a card with a long title": [
    { kind: "card", ...literal("title", "msg", "title") },
    { payload: "x", title: "x".repeat(201) },
    `${CARD}.content.title`,
    /200 characters, but has 201/,
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
  "a card far back in a carousel": [
    { kind: "carousel" },
    { payload: [...titled(3), { title: "x".repeat(201) }] },
    `${CAROUSEL}.content[3].title`,
    /201/,
  ],
  "a misspelled field of a card": [
    { kind: "carousel" },
    { payload: [...titled(1), { title: "x", titel: "x" }] },
    `${CAROUSEL}.content[1].titel`,
    /is not a field/,
  ],
  "cards that are text": [{ kind: "carousel" }, { payload: "[cards" }, `${CAROUSEL}.content`, /not JSON/],
  "cards in a ring": [
    { kind: "carousel" },
    (() => {
      const ring: unknown[] = titled(1);
      ring.push(ring);
      return { payload: ring };
    })(),
    `${CAROUSEL}.content`,
    /cannot be written as JSON/,
  ],
  "a reply of 26 characters": [
    withOptions,
    { payload: "x", options: ["x".repeat(26)] },
    `${CHIP}.reply.displayText`,
    /25 characters, but has 26/,
  ],
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
  "a short suggestion with two actions": [
    withOptions,
    { payload: "x", options: [{ text: "x", url: "https://example.com", phone: "+41791234567" }] },
    `${CHIP}.text`,
    /not a field/,
  ],
  "a suggestion with the name of something every object has": [
    withOptions,
    { payload: "x", options: [{ text: "x", constructor: "x" }] },
    `${CHIP}.text`,
    /constructor is not a field/,
  ],
  "suggestions that are a number": [
    withOptions,
    { payload: "x", options: 7 },
    "suggestedChipList.suggestions",
    /a list, but is 7/,
  ],
  "an expiry without zone": [
    { kind: "text", ...literal("expiry", "str", "2030-01-01 10:00") },
    { payload: "x" },
    "expiry",
    /zone/,
  ],
  "an application id that is none": [
    { kind: "text", ...literals("str", { applicationId: "x" }) },
    { payload: "x" },
    "applicationId",
    /UUID/,
  ],
};

describe("rcs-send: refused before anything is sent", () => {
  const service = new SimulatedService({ type: "rcs-send" });

  for (const [title, [sender, msg, parameter, saying]] of Object.entries(REFUSED)) {
    it(title, async () => {
      const result = await service.refused(sender, { to: TO, ...msg });
      assert.deepEqual([result.operation, result.statusName], ["rcs", "FIELD_INVALID"]);
      assert.equal(result.parameter, parameter);
      assert.ok(result.statusMessage.includes(`(${parameter}`), result.statusMessage);
      assert.match(result.detail, saying);
    });
  }

  it("a field that is set and holds nothing, by its path", async () => {
    for (const [kind, name, path] of [
      ["text", "textMessage", "textMessage"],
      ["card", "mediaUrl", `${CARD}.content.media.mediaUrl`],
      ["location", "positionLabel", "geolocationPushMessage.label"],
      ["text", "suggestions", "suggestedChipList.suggestions"],
    ] as const) {
      const msg = { to: TO, payload: { latitude: 1, longitude: 1 } };
      const result = await service.refused({ kind, ...literal(name, "msg", "nothing.there") }, msg);
      assert.deepEqual([result.statusName, result.parameter], ["FIELD_UNRESOLVED", path]);
    }
  });

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

  it("a list of people, at its first, when the message is wrong", async () => {
    const { send, all } = await service.start({ kind: "card" });
    send({ to: ["99955500001", "99955500002"], payload: "x".repeat(2001) });
    const [msg] = await all.until(1);
    assert.equal(resultOf(msg).parameter, `${CARD}.content.description`);
    assert.equal(all.messages.length, 1);
    assert.equal(service.requests.length, 0);
  });

  it("every message of a node whose way to take a position does not exist", async () => {
    const { send, caught } = await service.start({ kind: "location", positionAs: "stars" });
    send({ to: TO, payload: "x" });
    const [msg] = (await caught.until(1)) as unknown as { error: { message: string } }[];
    assert.match(msg?.error.message ?? "", /'stars'.*coordinates or text/);
  });
});
