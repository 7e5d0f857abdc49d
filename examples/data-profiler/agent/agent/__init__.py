"""The agent: `handlers/` is the work it does, `app.py` puts it behind the protocol in `pond/`."""
