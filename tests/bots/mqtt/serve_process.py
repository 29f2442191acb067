"""The service and a stand-in for the engine as a process: `python -m ... SETTINGS`."""

from __future__ import annotations

import asyncio
import json
import logging
import signal
import sys
from dataclasses import replace
from pathlib import Path

from prometheus_client import CollectorRegistry, generate_latest

from bots.mqtt.broker_settings import BrokerAccess, MqttSettings
from bots.mqtt.mqtt_metrics import MqttMetrics
from bots.mqtt.service import BrokerRefusedError, MqttService
from tests.bots.mqtt.stand_in_engine import StandInEngine

REFUSED = 3  # exit code where the broker refuses the service


def settings_of(text: str) -> MqttSettings:
    """The settings of a JSON text; `broker` are those of the access."""
    values = json.loads(text)
    broker = values.pop("broker")
    if "ca_file" in broker:
        broker["ca_file"] = Path(broker["ca_file"])
    folder = Path(values.pop("data_folder"))
    return MqttSettings(data_folder=folder, socket="", broker=BrokerAccess(**broker), **values)


async def serve(settings: MqttSettings) -> int:
    """Serves until SIGTERM; writes the metrics beside the store at the end."""
    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    settings.data_folder.mkdir(parents=True, exist_ok=True)
    engine = StandInEngine(settings.data_folder)
    Path(engine.socket).unlink(missing_ok=True)
    await engine.start()
    registry = CollectorRegistry()
    try:
        service = MqttService(replace(settings, socket=engine.socket), MqttMetrics(registry))
        await service.run(stop)
    except BrokerRefusedError as error:
        print(error, file=sys.stderr)
        return REFUSED
    (settings.data_folder / "metrics.txt").write_bytes(generate_latest(registry))
    return 0


if __name__ == "__main__":
    logging.basicConfig(level="INFO", format="%(asctime)s %(message)s", stream=sys.stderr)
    sys.exit(asyncio.run(serve(settings_of(sys.argv[1]))))
