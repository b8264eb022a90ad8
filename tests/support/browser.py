"""A headless Chromium spoken to over its own protocol through a pipe; standard library only.

    with Browser() as browser:
        page = browser.open(address)
        page.wait("document.body.dataset.ready == '1'")
        page.value("viewer.frame.count")
"""
import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

NAMES = ("chromium", "chromium-browser", "google-chrome")
# drawn by the processor; no name of another machine is ever looked up
FLAGS = ["--headless=new", "--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--remote-debugging-pipe", "--no-first-run",
         "--disable-background-networking", "--disable-component-update", "--disable-sync", "--mute-audio", "--hide-scrollbars",
         "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1", "--proxy-server=http://127.0.0.1:9", "--proxy-bypass-list=127.0.0.1",
         "--disable-dev-shm-usage", "--force-color-profile=srgb"]


def find():
    """Path of a Chromium, or None."""
    return next((path for path in map(shutil.which, NAMES) if path), None)


class Browser:
    def __init__(self, width=1000, height=700):
        self.profile = tempfile.mkdtemp()
        to_read, self.out = os.pipe()
        self.inp, to_write = os.pipe()

        def hand_over():
            # the browser reads commands from 3 and writes answers to 4
            spare_read, spare_write = os.dup(to_read), os.dup(to_write)
            os.dup2(spare_read, 3)
            os.dup2(spare_write, 4)

        self.process = subprocess.Popen([find(), *FLAGS, "--user-data-dir=" + self.profile, f"--window-size={width},{height}", "about:blank"],
                                        preexec_fn=hand_over, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(to_write)
        self.size = width, height
        self.rest, self.number, self.events = b"", 0, []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.call("Browser.close")
        except (OSError, RuntimeError):
            pass
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.profile, ignore_errors=True)

    def read(self, deadline):
        while b"\0" not in self.rest:
            ready, _, _ = select.select([self.inp], [], [], max(0, deadline - time.time()))
            block = os.read(self.inp, 1 << 20) if ready else b""
            if not block:
                raise RuntimeError("the browser does not answer")
            self.rest += block
        message, self.rest = self.rest.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, session=None, limit=300, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        os.write(self.out, json.dumps(message).encode() + b"\0")
        deadline = time.time() + limit
        while True:
            answer = self.read(deadline)
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]
            self.events.append(answer)

    def open(self, address):
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        page = Page(self, session)
        for domain in ("Page", "Runtime", "Log", "Network"):
            page.call(domain + ".enable")
        width, height = self.size
        page.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        page.call("Page.navigate", url=address)
        page.wait("document.body && location.href != 'about:blank'")
        return page


class Page:
    def __init__(self, browser, session):
        self.browser, self.session = browser, session

    def call(self, method, **parameters):
        return self.browser.call(method, self.session, **parameters)

    def value(self, expression):
        """What an expression of JavaScript gives; promises are waited for."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise RuntimeError(expression + ": " + str(details.get("exception", {}).get("description", details["text"])))
        return answer["result"].get("value")

    def wait(self, expression, limit=300):
        """Waits until an expression is true."""
        end = time.time() + limit
        while not self.value(expression):
            if time.time() > end:
                raise RuntimeError("not within %g s: %s; notice: %s" % (limit, expression, self.value("(document.querySelector('#notice') || {}).textContent")))
            time.sleep(0.05)

    def picture(self, scale=1):
        """A PNG of the page, made smaller by a scale below 1."""
        width, height = self.browser.size
        clip = {"x": 0, "y": 0, "width": width, "height": height, "scale": scale}
        return base64.b64decode(self.call("Page.captureScreenshot", format="png", clip=clip)["data"])

    def click(self, x, y):
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def drag(self, x, y, to_x, to_y, button="left"):
        self.call("Input.dispatchMouseEvent", type="mousePressed", x=x, y=y, button=button, clickCount=1)
        for k in range(1, 6):
            self.call("Input.dispatchMouseEvent", type="mouseMoved", x=x + (to_x - x) * k / 5, y=y + (to_y - y) * k / 5, button=button, buttons=1 if button == "left" else 2)
        self.call("Input.dispatchMouseEvent", type="mouseReleased", x=to_x, y=to_y, button=button, clickCount=1)

    def wheel(self, x, y, by):
        self.call("Input.dispatchMouseEvent", type="mouseWheel", x=x, y=y, deltaX=0, deltaY=by)

    def key(self, key, code=None):
        text = key if len(key) == 1 else ""
        self.call("Input.dispatchKeyEvent", type="keyDown", key=key, text=text, code=code or key)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key, code=code or key)

    def errors(self):
        """Errors and warnings that the console got, and exceptions."""
        self.value("1")
        found = []
        for event in self.browser.events:
            if event.get("sessionId") != self.session:
                continue
            method, parameters = event["method"], event["params"]
            if method == "Runtime.exceptionThrown":
                details = parameters["exceptionDetails"]
                found.append(details.get("exception", {}).get("description", details["text"]))
            if method == "Runtime.consoleAPICalled" and parameters["type"] in ("error", "warning", "assert"):
                found.append(" ".join(str(part.get("value", part.get("description"))) for part in parameters["args"]))
            if method == "Log.entryAdded" and parameters["entry"]["level"] == "error":
                found.append(parameters["entry"]["text"])
        return found

    def fetched(self):
        """Addresses that the page asked for."""
        return [event["params"]["request"]["url"] for event in self.browser.events
                if event.get("sessionId") == self.session and event["method"] == "Network.requestWillBeSent"]
