"""The shared half of protocols that send positions (NBoard, UGI): all but their messages."""
