"""A host of an agent's API server: does what the steps in FAKE_STEPS say, one JSON list a line:
method, path, and for a stream the words after which it does something, and what: the next request,
or nothing, which is to hang up.
"""

import http.client
import json
import os
from pathlib import Path
from urllib.parse import urlsplit

BASE = urlsplit(os.environ["TURNREEL_AGENT_URL"])
HEADERS = {"Authorization": "Bearer canary-key-0123456789", "Content-Type": "application/json"}


def asked(method, path):
    connection = http.client.HTTPConnection(BASE.hostname, BASE.port, timeout=30)
    body = json.dumps({"input": "canary-prompt"}) if method == "POST" else None
    connection.request(method, BASE.path + path, body, HEADERS)
    return connection, connection.getresponse()


def heard(method, path, words=None, then=None):
    connection, response = asked(method, path)
    seen = b""
    try:
        while data := response.read1(65536):
            seen += data
            if words is not None and words.encode() in seen:
                if then is None:
                    break
                heard(*then)
                words = None
    except (http.client.HTTPException, OSError) as error:
        print(type(error).__name__)
    connection.close()
    print(method, path, response.status, len(seen) > 0, flush=True)


for step in Path(os.environ["FAKE_STEPS"]).read_text().splitlines():
    heard(*json.loads(step))
