"""A board without an engine: plays the moves of stdin against an engine behind an MQTT broker.

`python smart_board.py BROKER [BOARD]` reads one move a line and prints the engine's. A real board
reads its sensors in place of stdin. It needs paho-mqtt alone.
"""

import json
import queue
import sys
import threading
import uuid

import paho.mqtt.client as mqtt
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

HOUR = 3600
REPLY_SECONDS = 60  # before a further attempt
NAME = f"board-{uuid.getnode():012x}"  # the same after a restart
REPLIES = f"sparring/clients/{NAME}/replies"


class Board:
    """A client of the engine. Its requests are answered once, whoever restarts."""

    def __init__(self, host: str, port: int) -> None:
        self.replies: queue.Queue[dict] = queue.Queue()
        self.client = mqtt.Client(
            mqtt.CallbackAPIVersion.VERSION2, client_id=NAME, protocol=mqtt.MQTTv5
        )
        ready = threading.Event()
        self.client.on_connect = lambda client, *_: client.subscribe(REPLIES, qos=1)
        self.client.on_subscribe = lambda *_: ready.set()
        self.client.on_message = lambda _client, _data, message: self.replies.put(
            json.loads(message.payload)
        )
        session = Properties(PacketTypes.CONNECT)
        session.SessionExpiryInterval = HOUR
        self.client.connect(host, port, clean_start=False, properties=session)
        self.client.loop_start()  # connects again by itself
        ready.wait()

    def ask(self, topic: str, **request: object) -> dict:
        """Returns the result of a request; raises RuntimeError where it is refused."""
        own_id, attempt = uuid.uuid4().hex, 1
        way_back = Properties(PacketTypes.PUBLISH)
        way_back.ResponseTopic = REPLIES
        way_back.CorrelationData = own_id.encode()
        while True:
            payload = json.dumps({**request, "attempt": attempt})
            self.client.publish(topic, payload, qos=1, properties=way_back)
            try:
                reply = self.replies.get(timeout=REPLY_SECONDS)
                while reply["correlation_id"] != own_id:  # delivered twice
                    reply = self.replies.get(timeout=REPLY_SECONDS)
            except queue.Empty:
                attempt += 1  # the engine repeats its reply, and does nothing twice
                continue
            if not reply["ok"]:
                raise RuntimeError(reply["error"]["message"])
            return reply["result"]


def main() -> None:
    """Plays one game."""
    host, _, port = sys.argv[1].partition(":")
    board = Board(host, int(port or 1883))
    name = sys.argv[2] if len(sys.argv) > 2 else "go9"
    started = board.ask(
        "sparring/requests", type="start", board=name, opponent=NAME, persona="even"
    )
    topic, state = started["requests"], started["state"]
    right = {"game": state["game"], "token": started["token"]}
    for line in sys.stdin:
        try:
            number = len(state["moves"])
            result = board.ask(
                topic, type="play", **right, move=line.strip(), number=number, genmove=True
            )
        except RuntimeError as error:
            print("no:", error, flush=True)
            continue
        state = result["state"]
        print(*state["rows"], f"engine: {result['move']}", sep="\n", flush=True)
        if state["is_over"]:
            print("result:", state["result"], flush=True)
            return


if __name__ == "__main__":
    main()
