"""The choices for a log, for its option and for its handler. The import is light."""

TEXT, JSON = "text", "json"
FORMATS = (TEXT, JSON)
LEVELS = ("debug", "info", "warning", "error")
STDERR, JOURNAL, AUTO = "stderr", "journald", "auto"  # places of the log; others are files
