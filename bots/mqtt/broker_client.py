"""One connection to the broker: MQTT 5, a session that outlives it, and acknowledgements by hand.

aiomqtt acknowledges a message once it lies in a queue of this process. The service acknowledges a
request once it is stored, by the paho client below aiomqtt.
"""

from __future__ import annotations

import logging
import ssl
from typing import Any

import aiomqtt
from paho.mqtt.client import Client as PahoClient
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode
from paho.mqtt.subscribeoptions import SubscribeOptions

from bots.mqtt.broker_settings import HOUR, MqttSettings
from bots.mqtt.request_reader import Packet

log = logging.getLogger("sparring")

ANSWER_SECONDS = 30.0  # longest wait for an acknowledgement of the broker
MOST_UNACKNOWLEDGED = 64  # messages that the broker sends ahead of our acknowledgements
REHEARSAL = "-rehearsal"  # after the identifier
JSON = "application/json"
TEXT = 1  # PayloadFormatIndicator: the payload is UTF-8
NEVER_RETAINED = 2  # retained messages are not sent at a subscription
FAILURE = 0x80  # lowest reason code of a failure
SESSION_TAKEN_OVER = 0x8E
REFUSED_ACCESS = (0x84, 0x85, 0x86, 0x87, 0x8A, 0x8C)  # version, identifier, credentials, ban


class BrokerClient(aiomqtt.Client):
    """A client whose messages the caller acknowledges.

    will: of the connection; None: a rehearsal, with another identifier and no session.
    """

    def __init__(self, settings: MqttSettings, will: aiomqtt.Will | None) -> None:
        broker = settings.broker
        super().__init__(
            broker.host,
            broker.port,
            identifier=settings.client_id + ("" if will else REHEARSAL),
            username=broker.username,
            password=broker.password,
            protocol=aiomqtt.ProtocolVersion.V5,
            will=will,
            clean_start=will is None,
            keepalive=broker.keepalive_seconds,
            timeout=ANSWER_SECONDS,
            properties=connect_properties(settings) if will else None,
            tls_context=tls_context(settings) if broker.tls else None,
        )
        self.pending_calls_threshold = 10 * MOST_UNACKNOWLEDGED
        self._client.manual_ack_set(True)  # noqa: FBT003 - paho's own signature

    def abandon(self) -> None:
        """Closes the socket, in case the broker took the connection and never answered.

        aiomqtt leaves it open then.
        """
        if self._client.socket() is not None:
            self._client._sock_close()

    def acknowledge(self, message: aiomqtt.Message) -> None:
        """Acknowledges a message of this connection."""
        if message.qos:
            self._client.ack(message.mid, message.qos)

    def _on_publish(
        self,
        client: PahoClient,
        userdata: Any,  # noqa: ANN401 - paho's own signature
        mid: int,
        reason_code: ReasonCode,
        properties: Properties,
    ) -> None:
        if reason_code.value >= FAILURE:
            log.error("the broker refused a message of ours: %s", reason_code)
        super()._on_publish(client, userdata, mid, reason_code, properties)


def refusal(error: Exception, name: str, *, is_first: bool) -> str:
    """Returns the reason against a further connection; empty without one.

    name: the identifier of this client. is_first: no connection was made before.
    """
    code = getattr(error, "rc", None) or getattr(error.__cause__, "rc", None)
    number = getattr(code, "value", code)
    if number == SESSION_TAKEN_OVER:
        return f"another client of the broker has the name {name!r}"
    if number in REFUSED_ACCESS and is_first:
        return f"the broker refuses this client: {error}"
    return ""


def connect_properties(settings: MqttSettings) -> Properties:
    """Returns the properties of CONNECT."""
    properties = Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call]
    properties.SessionExpiryInterval = int(settings.broker.session_hours * HOUR)
    properties.ReceiveMaximum = MOST_UNACKNOWLEDGED
    properties.MaximumPacketSize = settings.limits.packet_bytes
    return properties


def will_of(topic: str, payload: bytes, delay_seconds: int) -> aiomqtt.Will:
    """Returns the retained last will."""
    properties = Properties(PacketTypes.WILLMESSAGE)  # type: ignore[no-untyped-call]
    properties.WillDelayInterval = delay_seconds
    properties.ContentType = JSON
    properties.PayloadFormatIndicator = TEXT
    return aiomqtt.Will(topic, payload, qos=1, retain=True, properties=properties)


def publish_properties(
    *, expiry_seconds: float | None = None, correlation_data: bytes | None = None
) -> Properties:
    """Returns the properties of a message of JSON."""
    properties = Properties(PacketTypes.PUBLISH)  # type: ignore[no-untyped-call]
    properties.ContentType = JSON
    properties.PayloadFormatIndicator = TEXT
    if expiry_seconds is not None:
        properties.MessageExpiryInterval = max(1, int(expiry_seconds))
    if correlation_data is not None:
        properties.CorrelationData = correlation_data
    return properties


def subscription() -> SubscribeOptions:
    """Returns the options of a subscription to requests."""
    return SubscribeOptions(qos=1, retainHandling=NEVER_RETAINED)


def tls_context(settings: MqttSettings) -> ssl.SSLContext:
    """Returns the context of TLS: the broker's certificate is checked, its name too.

    Raises OSError on unreadable files.
    """
    broker = settings.broker
    context = ssl.create_default_context(
        cafile=None if broker.ca_file is None else str(broker.ca_file)
    )
    if broker.certificate_file is not None:
        context.load_cert_chain(broker.certificate_file, broker.key_file)
    return context


def packet_of(message: aiomqtt.Message) -> Packet:
    """Returns a message as it arrived."""
    properties = message.properties
    payload = message.payload
    return Packet(
        str(message.topic),
        payload if isinstance(payload, bytes) else str(payload).encode(),
        response_topic=getattr(properties, "ResponseTopic", None),
        correlation_data=getattr(properties, "CorrelationData", None),
        expires_in=getattr(properties, "MessageExpiryInterval", None),
    )
