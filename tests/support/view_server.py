#!/usr/bin/env python3
"""The server of scree view, asked by a stranger.  usage: view_server.py PROGRAM RUN FAR REQUESTS

Checks who is refused and how, then sends REQUESTS requests that are broken in many ways; the server must answer each with a
refusal or a right answer, and still give the same frame, byte for byte, at the end.
"""
import http.client
import random
import re
import socket
import struct
import subprocess
import sys
import time

program, run, far, requests = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])
failed = []


def check(right, what):
    if not right:
        failed.append(what)
        print("FAILED:", what)


def ask(path, method="GET", **heads):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
    connection.putrequest(method, path, skip_host="Host" in heads, skip_accept_encoding=True)
    for name, value in heads.items():
        connection.putheader(name, value)
    connection.endheaders()
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    return answer.status, body, answer


def raw(data, limit=60):
    """The first line that comes back for bytes sent as they are."""
    with socket.create_connection(("127.0.0.1", port), timeout=limit) as link:
        try:
            link.sendall(data)
            link.shutdown(socket.SHUT_WR)
            answer = b""
            while True:
                block = link.recv(65536)
                if not block:
                    return answer
                answer += block
        except (ConnectionError, socket.timeout):
            return answer if "answer" in locals() else b""


def start(folder):
    """The process of a server, its port and its token."""
    process = subprocess.Popen([program, "view", folder, "--no-open"], stdout=subprocess.PIPE, text=True)
    line = process.stdout.readline().rstrip("\n")
    match = re.fullmatch(r"http://127\.0\.0\.1:(\d+)/([0-9a-f]{32})", line)
    if not match:
        sys.exit("FAILED: the first line is no address: " + repr(line))
    return process, int(match[1]), match[2]


def walk(data):
    """Place, type and rows of each column of a frame."""
    at = 80
    for _ in range(struct.unpack_from("<I", data, 76)[0]):
        rows, size = struct.unpack_from("<IQ", data, at + 20)
        yield at, data[at + 16], rows
        at += 40 + (size + 7) // 8 * 8


# ---- a ball of radius 0.05 m that lies at (1000, -2000, 0.05) m: positions are sent relative to an origin near it ----
server, port, token = start(far)
frame = ask(f"/{token}/frame?number=3&fields=17")[1]
origin = struct.unpack_from("<3d", frame, 40)
place = {frame[at:at + 16].rstrip(b"\0").decode(): at + 40 for at, _, _ in walk(frame)}
for name, height in (("position", 0.05), ("contact.point", 0)):
    check(name in place, f"{name} is not sent: {sorted(place)}")
    near = struct.unpack_from("<3f", frame, place[name] + (12 if name == "position" else 0)) if name in place else origin
    check(all(abs(a) < 1 for a in near), f"{name} is not relative to the origin: {near}")
    check(all(abs(a + b - c) < 1e-5 for a, b, c in zip(near, origin, (1000, -2000, height))), f"{name}: {near} from {origin}")
server.send_signal(2)
server.wait(120)

server, port, token = start(run)
base, host = "/" + token, f"127.0.0.1:{port}"

# ---- what is given ----
status, page, answer = ask(base)
check(status == 200 and b"<canvas" in page, "the page")
check("default-src 'none'" in answer.getheader("Content-Security-Policy", ""), "a policy that forbids what comes from elsewhere")
check(ask(base + "/")[0] == 200, "the page with a slash")
check(ask(base, Host=f"localhost:{port}")[0] == 200, "localhost")
check(ask(base + "/about")[1].startswith(b'{"scree"'), "about")
status, frame, _ = ask(base + "/frame?number=0")
check(status == 200 and frame[:4] == b"SCVF" and len(frame) > 80, "a frame")
bodies, = struct.unpack_from("<I", frame, 64)
check(bodies > 0, "bodies in the frame")
roster, = struct.unpack_from("<Q", frame, 32)
check(len(ask(base + f"/frame?number=0&roster={roster:x}")[1]) < len(frame), "a roster that is known is left out")
columns = lambda data: {data[at:at + 16].rstrip(b"\0").decode(): (kind, rows) for at, kind, rows in walk(data)}

# fields that are not asked for are left out; the run has a half-space, a box and 20 balls
some = columns(ask(base + "/frame?number=1&fields=1")[1])
check({"position", "shape.now"} <= set(some) and not {"turn", "velocity", "spin"} & set(some), f"columns of positions alone: {sorted(some)}")
check(some["shape.now"][1] == some["shape.body"][1] == 2, f"orientations of shapes that are not balls: {some.get('shape.now')}")
check("shape.now" not in columns(ask(base + "/frame?number=1&fields=3")[1]), "orientations come twice")
status, sample, _ = ask(base + "/sample?number=1&fields=5&most=8")
part = columns(sample)
check(status == 200 and part["position"][1] == part["radius"][1] == 8 and part["shape.body"][1] == 0, f"a sample of 8 bodies of 22: {part}")
check(struct.unpack_from("<q", sample, 24)[0] == 0, "a sample is of a frame that is decoded alone")
last = struct.unpack_from("<q", ask(base + "/sample?number=5&fields=5")[1], 24)[0]
check(last == 5, f"the last frame is sampled as it is: {last}")
check(ask(base + "/table/series.csv")[1].startswith(b"time,step"), "the series")
rows = ask(base + "/table/large.csv")[1].splitlines()
check(rows[:3] == [b"# every 2", b"time,a", b"0000000,0000000000000000000000000000000000000"], f"the head of a large table: {rows[:3]}")
check(rows[-1].startswith(b"1499998,") and len(rows) == 750002, f"rows of a large table: {len(rows)}, the last {rows[-1]}")
check(ask(base + "/frame?number=0", "HEAD")[:2] == (200, b""), "HEAD")

# ---- silent connections: 100 of them, and 100 that send a byte now and then, keep nobody out ----
for word in (b"", b"G"):
    silent = []
    for _ in range(100):
        link = socket.create_connection(("127.0.0.1", port), timeout=60)
        link.setblocking(False)
        silent.append(link)
        if word:
            link.send(word)
    began = time.time()
    check(ask(base + "/about")[0] == 200, "silent connections keep the holder of the token out")
    check(time.time() - began < 30, f"an answer beside silent connections after {time.time() - began:.0f} s")
    for link in silent:
        link.close()
# of 36 connections without the token the server keeps the newest 32
silent = [socket.create_connection(("127.0.0.1", port), timeout=60) for _ in range(36)]
closed, until = [], time.time() + 20
for link in silent:
    link.setblocking(False)
while len(closed) < 4 and time.time() < until:
    time.sleep(0.05)
    for k, link in enumerate(silent):
        try:
            if k not in closed and link.recv(1) == b"":
                closed.append(k)
        except ConnectionError:
            closed.append(k)
        except BlockingIOError:
            pass
check(sorted(closed) == [0, 1, 2, 3], f"connections that were closed: {closed}")
for link in silent:
    link.close()
kept = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
kept.request("GET", base + "/about")
kept.getresponse().read()
line = kept.sock
time.sleep(2.5)
kept.request("GET", base + "/about")
check(kept.getresponse().status == 200 and kept.sock is line, "a connection with the token ends after two seconds")
kept.close()

# ---- what is refused ----
for what, wanted, path, method, heads in [
        ("no token", 403, "/", "GET", {}), ("no token, a frame", 403, "/frame?number=0", "GET", {}),
        ("a token too short", 403, base[:-1], "GET", {}), ("a token too long", 403, base + "0", "GET", {}),
        ("another token", 403, "/" + "0" * 32, "GET", {}), ("the token as a question", 403, "/?token=" + token, "GET", {}),
        ("another host", 403, base, "GET", {"Host": "example.org"}), ("the name of another port", 403, base, "GET", {"Host": "127.0.0.1:1"}),
        ("a host that begins alike", 403, base, "GET", {"Host": host + ".example.org"}), ("an empty host", 403, base, "GET", {"Host": ""}),
        ("a file above", 403, base + "/table/../run.json", "GET", {}), ("a file above, coded", 403, base + "/table/..%2f..%2fetc%2fpasswd", "GET", {}),
        ("an absolute file", 403, base + "/table//etc/passwd", "GET", {}), ("a file that is no table", 403, base + "/table/run.json", "GET", {}),
        ("a hidden table", 403, base + "/table/.series.csv", "GET", {}), ("a link", 403, base + "/table/link.csv", "GET", {}),
        ("a folder", 403, base + "/table/folder.csv", "GET", {}), ("a pipe", 403, base + "/table/pipe.csv", "GET", {}),
        ("a missing table", 404, base + "/table/none.csv", "GET", {}), ("the trajectory itself", 404, base + "/trajectory.scree", "GET", {}),
        ("something unknown", 404, base + "/nothing", "GET", {}), ("a frame too far", 404, base + "/frame?number=999999", "GET", {}),
        ("a negative frame", 404, base + "/frame?number=-1", "GET", {}), ("a frame that is no number", 400, base + "/frame?number=x", "GET", {}),
        ("a number too large", 400, base + "/frame?number=99999999999999999999", "GET", {}), ("a geometry too far", 404, base + "/geometry?number=99", "GET", {}),
        ("a sample too far", 404, base + "/sample?number=999999", "GET", {}), ("a sample of nothing", 400, base + "/sample?number=0&most=0", "GET", {}),
        ("a sample that is no number", 400, base + "/sample?number=0&most=x", "GET", {}), ("a history too long", 400, base + "/history?body=1&count=100000", "GET", {}), ("a step of nothing", 400, base + "/history?body=1&step=0", "GET", {}),
        ("a stop without a run", 403, base + "/stop", "POST", {}), ("a stop by GET", 405, base + "/stop", "GET", {}),
        ("a stop from another page", 403, base + "/stop", "POST", {"Origin": "http://example.org"}), ("a frame by POST", 405, base + "/frame?number=0", "POST", {}),
        ("PUT", 405, base, "PUT", {}), ("DELETE", 405, base + "/about", "DELETE", {})]:
    status = ask(path, method, **heads)[0]
    check(status == wanted, f"{what}: {status} instead of {wanted}")
check(b" 403 " in raw(b"GET " + base.encode() + b" HTTP/1.0\r\n\r\n").split(b"\r\n")[0], "no host at all")
listening = subprocess.run(["ss", "-ltnH", f"sport = :{port}"], capture_output=True, text=True) if __import__("shutil").which("ss") else None
check(listening is None or ("127.0.0.1:" in listening.stdout and "0.0.0.0" not in listening.stdout.split()[3]), "the socket is on the loopback address only")

# ---- requests that are broken in many ways ----
generator = random.Random(20260101)
words = ["frame", "sample", "geometry", "history", "table", "about", "times", "stop", "..", "%2e%2e", "series.csv", "fields.csv", "%00", "a" * 300, "~", "\u00e9", ""]
names = ["number", "fields", "roster", "body", "from", "count", "step", "x", ""]
values = ["0", "1", "-1", "9223372036854775807", "-9223372036854775808", "1e9", "0x10", "ffffffffffffffff", "nan", "", " ", "%ff", "2" * 50]


def path():
    text = "/" + generator.choice([token, token, token, token[:-1], token.upper(), "", "0" * 32])
    for _ in range(generator.randrange(4)):
        text += "/" + generator.choice(words)
    return text + "?" + "&".join(generator.choice(names) + generator.choice(["=", ""]) + generator.choice(values) for _ in range(generator.randrange(5)))


def request():
    text = f"{generator.choice(['GET', 'GET', 'GET', 'HEAD', 'POST', 'PUT', 'BREW', ''])} {path()} HTTP/{generator.choice(['1.1', '1.1', '1.0', '2.0', 'x'])}\r\n"
    text += f"Host: {generator.choice([host, host, host, 'localhost', '', 'x' * 200])}\r\n"
    for _ in range(generator.randrange(3)):
        text += generator.choice(["Origin: http://x", "Content-Length: -5", "Content-Length: 4", "Transfer-Encoding: chunked", "Connection: close", "X: " + "y" * 500, ":"]) + "\r\n"
    data = (text + "\r\n" + generator.choice(["", "", "abcd", "5\r\nabcde\r\n0\r\n\r\n"])).encode()
    if generator.random() < 0.4:
        data = bytearray(data)
        for _ in range(generator.randrange(1, 6)):
            at = generator.randrange(len(data))
            data[at:at + generator.randrange(3)] = generator.randbytes(generator.randrange(4))
        data = bytes(data)
    return data[:generator.randrange(len(data))] if generator.random() < 0.1 else data


before, answered = time.time(), 0
for k in range(requests):
    answer = raw(request())
    if answer:
        answered += 1
        check(re.match(rb"HTTP/1\.[01] (2|4)\d\d |HTTP/1\.[01] 50[15] ", answer), "an answer that begins with " + repr(answer[:60]))
        if not answer.startswith((b"HTTP/1.1 200", b"HTTP/1.0 200")):
            check(b"root:" not in answer, "a file from outside")
    if server.poll() is not None or len(failed) > 20:
        break
check(server.poll() is None, "the server has ended")
check(answered > requests / 2, f"only {answered} of {requests} were answered")
check(server.poll() is None and ask(base + "/frame?number=0")[1] == frame, "the frame is another one at the end")
with open(f"/proc/{server.pid}/status") as file:
    memory = int(re.search(r"VmRSS:\s+(\d+)", file.read())[1])
server.send_signal(2)
check(server.wait(120) == 0, "an interrupt ends the server with 0")
print(f"{requests} broken requests in {time.time() - before:.1f} s, {answered} answered; {memory // 1024} MiB")
sys.exit(1 if failed else 0)
