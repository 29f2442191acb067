"""OGS (online-go.com): the messages of its websocket and of its REST interface."""
