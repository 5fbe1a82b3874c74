import { expect, test } from "vitest";
import { EventReader, Latest, events } from "../src/base/streams";

const TEXT = 'event: record\ndata: {"seed": 0}\n\n: a comment\n\nevent: verdict\r\ndata: one\r\ndata: two\r\n\r\n';
const EVENTS = [
  { name: "record", data: '{"seed": 0}' },
  { name: "verdict", data: "one\ntwo" },
];

test("events do not depend on where the pieces are cut", () => {
  for (let size = 1; size <= TEXT.length; size += 1) {
    const reader = new EventReader();
    const found = [];
    for (let at = 0; at < TEXT.length; at += size) found.push(...reader.push(TEXT.slice(at, at + size)));
    expect(found).toEqual(EVENTS);
  }
});

test("a body is read to its end, letters of several bytes included", async () => {
  const bytes = new TextEncoder().encode("data: ψ₁ holds\n\ndata: half");
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const byte of bytes) controller.enqueue(new Uint8Array([byte]));
      controller.close();
    },
  });
  const found = [];
  for await (const event of events(body)) found.push(event.data);
  expect(found).toEqual(["ψ₁ holds"]); // a half-sent event is no event
});

test("a new request aborts the one before", () => {
  const latest = new Latest();
  const first = latest.start();
  const second = latest.start();
  expect([first.aborted, second.aborted]).toEqual([true, false]);
  latest.stop();
  expect(second.aborted).toBe(true);
});
