"""A provider of many ports on loopback, for runs with many keys: what a key gets is said by the key, and each port
counts how many requests it has at a time."""
import asyncio
import json
import threading

MODELS = {"object": "list", "data": [{"id": "m", "object": "model"}, {"id": "m-mini", "object": "model"}]}


def error(message, **more):
    return {"error": dict({"message": message}, **more)}


# kind of key: (status, headers, body, diagnosis); None as status is silence, 0 a connection that is closed.
KINDS = {
    "good": (200, {}, MODELS, None),
    "revoked": (401, {}, error("Incorrect API key provided.", code="invalid_api_key"), "auth_invalid_key"),
    "suspended": (403, {}, error("Your account has been deactivated.", code="account_deactivated"), "account_suspended"),
    "empty": (429, {}, error("You exceeded your current quota, please check your plan and billing details.",
                             type="insufficient_quota", code="insufficient_quota"), "quota_exhausted"),
    "hasty": (429, {"retry-after": "1"}, error("Rate limit reached for requests", code="rate_limit_exceeded"),
              "rate_limit"),
    "full": (503, {}, error("The server is overloaded.", code="server_is_overloaded"), "capacity"),
    "broken": (500, {}, error("The server had an error while processing your request.", type="server_error"),
               "server_error"),
    "silent": (None, {}, None, "timeout"),
    "cut": (0, {}, None, "connection_reset"),
}


def key_of(kind, number):
    """A key whose kind the server can read."""
    return f"sk-proj-{kind}{number:04d}" + "k7Xq" * 10


class Port:
    def __init__(self, delay_s, reply=None):
        self.delay_s, self.reply = delay_s, reply
        self.now = self.most = 0
        self.requests = []

    async def serve(self, reader, writer):
        try:
            while await self.answer(reader, writer):
                pass
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass
        finally:
            writer.close()

    async def answer(self, reader, writer):
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        key = next((line.split("Bearer ", 1)[1].strip() for line in head.split("\r\n") if "Bearer " in line), "")
        kind = next((kind for kind in KINDS if key.startswith("sk-proj-" + kind)), "revoked")
        self.requests.append((head.split(" ", 2)[0], head.split(" ", 2)[1], key))
        self.now += 1
        self.most = max(self.most, self.now)
        try:
            status, headers, body, _ = self.reply(key) if self.reply else KINDS[kind]
            await asyncio.sleep(3600 if status is None else self.delay_s)
            if status == 0:
                writer.transport.abort()
                return False
            await self.send(writer, status, headers, body)
            return True
        finally:
            self.now -= 1

    @staticmethod
    async def send(writer, status, headers, body):
        text = json.dumps(body).encode()
        lines = [f"HTTP/1.1 {status} X", "content-type: application/json", f"content-length: {len(text)}"]
        lines += [f"{name}: {value}" for name, value in headers.items()]
        writer.write(("\r\n".join(lines) + "\r\n\r\n").encode() + text)
        await writer.drain()


class Provider:
    """`with Provider(20, 0.05) as p:` serves on p.urls. reply(key) gives another answer than the key's kind."""

    def __init__(self, ports, delay_s, reply=None):
        self.ports = [Port(delay_s, reply) for _ in range(ports)]
        self.loop = asyncio.new_event_loop()
        self.urls = []

    def __enter__(self):
        ready = threading.Event()

        async def start():
            for port in self.ports:
                server = await asyncio.start_server(port.serve, "127.0.0.1", 0)
                self.urls.append("http://127.0.0.1:%d/v1" % server.sockets[0].getsockname()[1])
            ready.set()

        def run():
            asyncio.set_event_loop(self.loop)
            self.loop.create_task(start())
            self.loop.run_forever()

        self.thread = threading.Thread(target=run, daemon=True)
        self.thread.start()
        ready.wait()
        return self

    def __exit__(self, *_):
        async def end():
            tasks = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            self.loop.stop()

        asyncio.run_coroutine_threadsafe(end(), self.loop)
        self.thread.join()
        self.loop.close()

    def requests(self):
        return [request for port in self.ports for request in port.requests]

    def most_at_once(self):
        return max(port.most for port in self.ports)
