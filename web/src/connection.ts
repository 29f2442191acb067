// The connection to the engine: it greets, and comes back by itself after it was lost.

import { VERSION, type FromEngine, type ToEngine } from "./protocol";
import { savedName, takeToken, visitor } from "./storage";

const FIRST_WAIT = 500; // milliseconds before the first new attempt; each further wait is longer
const LONGEST_WAIT = 8000;

export type Status = "connecting" | "open" | "lost" | "elsewhere";

export class Connection {
  private socket: WebSocket | null = null;
  private wait = FIRST_WAIT;
  private isElsewhere = false; // the game goes on in another tab
  private readonly token = takeToken();

  constructor(
    private readonly onMessage: (message: FromEngine) => void,
    private readonly onStatus: (status: Status) => void,
  ) {}

  open(): void {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const query = this.token === null ? "" : `?token=${encodeURIComponent(this.token)}`;
    const socket = new WebSocket(`${scheme}://${location.host}/play${query}`);
    this.socket = socket;
    socket.onopen = () => this.send({ type: "hello", visitor: visitor.get(), name: savedName() });
    socket.onmessage = (event: MessageEvent<string>) => this.receive(event.data);
    socket.onclose = () => this.lose();
  }

  send(message: ToEngine): void {
    if (this.socket?.readyState === WebSocket.OPEN) {
      this.socket.send(JSON.stringify({ v: VERSION, ...message }));
    }
  }

  private receive(data: string): void {
    for (const line of data.split("\n")) {
      // A frame may hold several messages, one a line.
      const message = JSON.parse(line) as FromEngine;
      if (message.type === "welcome") {
        visitor.set(message.visitor);
        this.wait = FIRST_WAIT;
        this.onStatus("open");
      }
      if (message.type === "elsewhere") this.isElsewhere = true;
      this.onMessage(message);
    }
  }

  private lose(): void {
    this.onStatus(this.isElsewhere ? "elsewhere" : "lost");
    if (this.isElsewhere) return; // two tabs would take the game from each other for ever
    setTimeout(() => this.open(), this.wait);
    this.wait = Math.min(2 * this.wait, LONGEST_WAIT);
  }
}
