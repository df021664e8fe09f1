"""Ports of loopback for programs that have to be told one."""
import contextlib
import socket


def free_ports(count):
    """So many free ports, no two alike: all are held until the last is found."""
    with contextlib.ExitStack() as held:
        sockets = [held.enter_context(socket.socket()) for _ in range(count)]
        for holder in sockets:
            holder.bind(("127.0.0.1", 0))
        return [holder.getsockname()[1] for holder in sockets]


def free_port():
    return free_ports(1)[0]
