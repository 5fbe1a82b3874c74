/** Server-sent events over fetch: they can be aborted, sent as POST, and carry the sentences of a refusal. */

export interface ServerEvent {
  readonly name: string;
  readonly data: string;
}

/** Events out of pieces of text that may be cut anywhere, even inside a line end. */
export class EventReader {
  private rest = "";

  push(piece: string): ServerEvent[] {
    this.rest += piece;
    // A lone \r at the end may be half of \r\n: it waits for the next piece.
    const held = this.rest.endsWith("\r") ? "\r" : "";
    const blocks = (held ? this.rest.slice(0, -1) : this.rest).replace(/\r\n?/g, "\n").split("\n\n");
    this.rest = (blocks.pop() ?? "") + held;
    return blocks.map(parseBlock).filter((event): event is ServerEvent => event !== null);
  }
}

function parseBlock(block: string): ServerEvent | null {
  let name = "message";
  const data: string[] = [];
  for (const line of block.split("\n")) {
    const cut = line.indexOf(":");
    const key = cut < 0 ? line : line.slice(0, cut);
    const value = cut < 0 ? "" : line.slice(cut + 1).replace(/^ /, "");
    if (key === "event") name = value;
    else if (key === "data") data.push(value);
  }
  return data.length ? { name, data: data.join("\n") } : null;
}

/** All events of a body, until it ends or the request is aborted. */
export async function* events(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const parser = new EventReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield* parser.push(decoder.decode(value, { stream: true }));
    }
  } finally {
    reader.cancel().catch(() => undefined);
  }
}

/** Only the newest of several requests counts: starting one aborts what it overtakes. */
export class Latest {
  private current: AbortController | null = null;

  start(): AbortSignal {
    this.current?.abort();
    this.current = new AbortController();
    return this.current.signal;
  }

  stop(): void {
    this.current?.abort();
    this.current = null;
  }
}
