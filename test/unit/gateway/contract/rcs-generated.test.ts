import assert from "node:assert/strict";
import fc from "fast-check";
import { faultOf } from "./rcs-fault";
import { card, carousel, media, SUGGESTIONS, thumbnail, URL } from "./rcs-samples";

/** Good messages of every kind, and the same with one thing spoiled somewhere. */

type Json = Record<string, unknown>;

const text = (max: number): fc.Arbitrary<string> =>
  fc.string({ unit: "binary", minLength: 1, maxLength: max });
const optional = (
  fields: Record<string, fc.Arbitrary<unknown>>,
  required: string[] = [],
): fc.Arbitrary<Json> => fc.record(fields, { requiredKeys: required }) as fc.Arbitrary<Json>;
const count = fc.nat();
const instant = fc
  .date({ min: new Date(0), max: new Date("2100-01-01"), noInvalidDate: true })
  .map((date) => date.toISOString());
const suggestions = (max: number) =>
  fc.array(fc.constantFrom(...SUGGESTIONS), { minLength: 1, maxLength: max });

const picture = fc
  .tuple(
    fc.constantFrom("SHORT_HEIGHT", "MEDIUM_HEIGHT"),
    fc.boolean(),
    optional({ contentDescription: text(200) }),
  )
  .map(([height, small, more]) => ({ ...media, height, ...(small ? thumbnail : {}), ...more }));
const content = fc
  .tuple(
    fc.oneof(
      optional({ title: text(200), description: text(2000), media: picture }, ["title"]),
      optional({ description: text(2000), media: picture }, ["description"]),
      optional({ media: picture }, ["media"]),
    ),
    optional({ suggestions: suggestions(4) }),
  )
  .map(([one, more]) => ({ ...one, ...more }));
const layout = fc.constantFrom(
  { cardOrientation: "VERTICAL" },
  { cardOrientation: "HORIZONTAL", imageAlignment: "LEFT" },
  { cardOrientation: "HORIZONTAL", imageAlignment: "RIGHT" },
);

const mediaType = fc.constantFrom(
  "image/jpeg",
  "video/mp4",
  "application/vnd.oasis.opendocument.text",
  "audio/ogg; codecs=opus",
);
const file = { fileUrl: fc.constant(URL), fileName: text(99), fileMIMEType: mediaType, fileSize: count };
const contents: fc.Arbitrary<Json> = fc.oneof(
  fc.record({ textMessage: text(3072) }),
  fc.record({ fileMessage: optional({ ...file, thumbnailUrl: fc.constant(URL) }, ["fileUrl"]) }),
  fc.record({ audioMessage: optional({ ...file, playingLength: count }, ["fileUrl"]) }),
  fc.record({
    geolocationPushMessage: optional(
      { pos: text(40), label: text(200), timestamp: instant, expiry: instant, radius: count },
      ["pos"],
    ),
  }),
  fc.tuple(content, layout).map(([one, how]) => card(one, how) as Json),
  fc
    .tuple(fc.array(content, { minLength: 2, maxLength: 10 }), fc.constantFrom("SMALL_WIDTH", "MEDIUM_WIDTH"))
    .map(([cards, width]) => carousel(cards, width) as Json),
);
const message: fc.Arbitrary<Json> = fc
  .tuple(
    contents,
    optional({
      suggestedChipList: fc.record({ suggestions: suggestions(11) }),
      trafficType: fc.constantFrom("advertisement", "payment", "premium", "subscription"),
      expiry: instant,
    }),
  )
  .map(([one, more]) => ({ ...one, ...more }));

/** A copy in which no two places are the same object: spoiling one must spoil no other. */
const copy = (value: Json): Json => JSON.parse(JSON.stringify(value)) as Json;

interface Place {
  readonly path: string;
  readonly owner: Json;
  readonly key: string;
}

/** Every place in a value: its path as errors write it. */
function placesOf(owner: Json, path = ""): Place[] {
  return Object.entries(owner).flatMap(([key, value]) => {
    const own = Array.isArray(owner) ? `${path}[${key}]` : `${path}${path === "" ? "" : "."}${key}`;
    const below = typeof value === "object" && value !== null ? placesOf(value as Json, own) : [];
    return [{ path: own, owner, key }, ...below];
  });
}

describe("gateway RCS schemas: generated messages", () => {
  it("take every good one", () => {
    fc.assert(fc.property(message, (good) => assert.equal(faultOf(good)?.message, undefined)));
  });

  it("name the place where one value is of a type that nothing has", () => {
    fc.assert(
      fc.property(message, fc.nat(), fc.constantFrom(true, null), (good, at, value) => {
        const bad = copy(good);
        const places = placesOf(bad);
        const place = places[at % places.length];
        assert.ok(place);
        place.owner[place.key] = value;
        const error = faultOf(bad);
        assert.equal(error?.field, place.path);
        assert.match(error.message, /^\S+ must be [^;]*$/);
      }),
    );
  });

  it("name a field that does not exist, wherever it stands", () => {
    fc.assert(
      fc.property(message, fc.nat(), fc.constantFrom("titel", "toString", "constructor"), (good, at, key) => {
        const bad = copy(good);
        const objects = [
          { path: "", value: bad },
          ...placesOf(bad).map(({ path, owner, key: name }) => ({ path, value: owner[name] as Json })),
        ].filter(({ value }) => typeof value === "object" && !Array.isArray(value));
        const spoiled = objects[at % objects.length];
        assert.ok(spoiled);
        spoiled.value[key] = {};
        assert.equal(faultOf(bad)?.field, spoiled.path === "" ? key : `${spoiled.path}.${key}`);
      }),
    );
  });
});
