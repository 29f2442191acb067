"""The engine as a service over an MQTT broker: requests, replies, games and presence."""
