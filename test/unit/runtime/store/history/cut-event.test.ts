import assert from "node:assert/strict";
import { readCutEvent } from "../../../../../lib/runtime/store/history/cut-event";

describe("an event that was cut", () => {
  const event = {
    type: "rcs",
    sender: "+41790000001",
    content: 'Say "yes" \n\u0001 \\ to {a, [b]}',
    mediaId: 7,
  };
  const json = JSON.stringify(event);

  it("keeps the fields before a cut, and the cut text with an ellipsis", () => {
    for (let length = 1; length < json.length; length++) {
      const { content, ...rest } = readCutEvent(json.slice(0, length)) as Partial<typeof event>;
      assert.equal(
        [undefined, event.content].includes(content) || event.content.startsWith(content?.slice(0, -1) ?? ""),
        true,
        content,
      );
      if (content !== undefined) {
        assert.deepEqual([rest.type, rest.sender], ["rcs", "+41790000001"]);
        assert.equal(content === event.content || content.endsWith("…"), true, content);
      }
    }
    const long = JSON.stringify({ ...event, content: "x".repeat(100) });
    assert.equal(
      (readCutEvent(long.slice(0, 80)) as typeof event).content,
      `${"x".repeat(80 - long.indexOf("xx"))}…`,
    );
  });

  it("keeps the text when a list behind it was cut", () => {
    const cut = '{"type":"whatsapp","content":"Ada, Ben","contacts":[{"name":"A, \\"","phones":["1","2';
    assert.deepEqual(readCutEvent(cut), { type: "whatsapp", content: "Ada, Ben" });
  });
});
