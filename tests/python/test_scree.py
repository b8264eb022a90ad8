"""Tests of the Python package. usage: test_scree.py ROOT"""

import contextlib
import copy
import gc
import glob
import inspect
import io
import os
import pathlib
import pickle
import re
import resource
import signal
import stat
import subprocess
import sys
import tempfile
import textwrap
import threading
import time
import unittest
import warnings

import numpy as np

import scree

ROOT = pathlib.Path(sys.argv.pop()) if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parents[2]
FALL = ROOT / "tests" / "python" / "free_fall.lua"


def make_heap(seed=1):
    """Returns a world of balls that fall on the ground."""
    w = scree.World(seed=seed, gravity=(0, 0, -9.81), dt="1 ms")
    w.halfspace(normal=(0, 0, 1))
    w.fill(region={"min": (0, 0, 0.1), "max": (0.5, 0.5, 0.5)}, spacing=0.12, radius=0.05, jitter=0.1)
    return w


def read_memory():
    """Returns the memory that the process has now [kB]."""
    return int(pathlib.Path("/proc/self/statm").read_text("ascii").split()[1]) * resource.getpagesize() // 1024


class Worlds(unittest.TestCase):
    def test_rests_on_ground(self):
        w = scree.World(gravity=(0, 0, -9.81), dt="1 ms")
        w.halfspace(normal=(0, 0, 1))
        ball = w.sphere(radius=0.1, position=(0, 0, 0.1))
        w.step(100)
        self.assertAlmostEqual(ball.position()[2], 0.1, 12)
        weight = 1000 * 4 / 3 * np.pi * 0.1 ** 3 * 9.81
        self.assertAlmostEqual(w.contacts["impulse"][0, 2] / 1e-3, weight, 9)
        self.assertEqual(ball.kind(), "dynamic")
        self.assertAlmostEqual(w.time(), 0.1)

    def test_falls(self):
        w = scree.World(gravity=[0, 0, -10.0], dt=1e-3)
        ball = w.sphere(radius=0.1, position=np.array([1.0, 2.0, 3.0]))
        w.step(200)
        np.testing.assert_allclose(ball.velocity(), [0, 0, -2.0], rtol=1e-13)

    def test_report_is_dict(self):
        report = make_heap().report()
        self.assertIsInstance(report, dict)
        self.assertIsInstance(report["solved"], dict)
        with self.assertRaises(KeyError):
            report["kinetik"]  # pylint: disable=pointless-statement
        self.assertFalse(hasattr(scree.World(), "spere"))
        self.assertEqual(getattr(scree.World(), "spere", 3), 3)

    def test_pair_takes_entries(self):
        w = scree.World()
        w.material(name="steel", density=7800)
        w.pair("steel", "default", mu=0.25)
        self.assertEqual(w.get_pair("steel", "default")["mu"], 0.25)
        w.pair({1: "steel", 2: "steel", "mu": 0.5})
        self.assertEqual(w.get_pair("steel", "steel")["mu"], 0.5)

    def test_errors_have_text_of_engine(self):
        w = scree.World()
        with self.assertRaisesRegex(scree.Error, "radus is not a known key; did you mean 'radius'"):
            w.sphere(radus=0.1)
        with self.assertRaisesRegex(scree.Error, "did you mean 'sphere'"):
            w.spere(radius=0.1)
        with self.assertRaisesRegex(scree.Error, "gravty"):
            scree.World(gravty=(0, 0, 1))
        with self.assertRaises(TypeError):
            w.sphere(radius=object())
        with self.assertRaises(AttributeError):
            scree.no_such_thing  # pylint: disable=pointless-statement
        with self.assertRaisesRegex(ValueError, "count"):
            w.step(-1)
        ball = w.sphere(radius=0.1)
        ball.remove()
        with self.assertRaisesRegex(scree.Error, "removed"):
            ball.position()

    def test_warnings_are_warnings(self):
        w = scree.World()
        w.box(kind="fixed", size=(1, 1, 1))
        w.sphere(radius=0.1)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            w.step()
        self.assertEqual(len(caught), 1)
        self.assertIn("inside", str(caught[0].message))

    def test_scenes_call_functions(self):
        world = scree.Scene(FALL).world
        wall = world.box(kind="kinematic", size=(1, 1, 1), position=(5, 0, 0), velocity=lambda t: (0, 0, 2.0))
        world.step(10)
        np.testing.assert_allclose(wall.position(), (5, 0, 0.02), atol=1e-12)

    def test_random_numbers_follow_seed(self):
        self.assertEqual(make_heap(3).hash(), make_heap(3).hash())
        self.assertNotEqual(make_heap(3).hash(), make_heap(4).hash())

    def test_modules(self):
        w = scree.World()
        scree.obstacle.walls(w, min=(0, 0, 0), max=(1, 1, 1))
        self.assertEqual(w.count(kind="fixed"), 6)
        self.assertIn("mu", [p["name"] for p in scree.law.params("coulomb")])
        hull = scree.geometry.hull(points=[(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)])
        body = w.hull(geometry=hull, position=(5, 5, 5))
        self.assertAlmostEqual(body.mass(), 1000 / 6, 9)

    def test_package_has_all_modules(self):
        package = pathlib.Path(scree.__file__).parent
        for path in (ROOT / "lua" / "scree").rglob("*.lua"):
            self.assertTrue((package / "lua" / "scree" / path.relative_to(ROOT / "lua" / "scree")).exists(), path)

    def test_methods_are_described(self):
        self.assertIn("radius", scree.World.sphere.__doc__)
        self.assertEqual(list(inspect.signature(scree.World.random).parameters), ["self", "low", "high"])
        for name in ("World", "Body", "Joint", "Cell", "State"):
            methods = [m for m in vars(getattr(scree, name)).values() if inspect.isfunction(m)]
            for method in methods:
                if not method.__name__.startswith("_"):
                    self.assertTrue(method.__doc__, f"{name}.{method.__name__}")

    def test_stubs_match(self):
        stubs = pathlib.Path(scree.__file__).with_name("world.pyi").read_text(encoding="utf-8")
        compile(stubs, "world.pyi", "exec")
        space = {}
        exec(compile("from __future__ import annotations\n" + stubs, "world.pyi", "exec"), space)  # pylint: disable=exec-used
        for name in ("World", "Body", "Joint", "Cell", "State", "Batch", "View"):
            real, stub = getattr(scree, name), space[name]
            public = {m for m in (*vars(real), *vars(real).get("__annotations__", ())) if not m.startswith("_")}
            told = {m for m in vars(stub) if not m.startswith("_")} | set(vars(stub).get("__annotations__", ()))
            self.assertEqual(public - told, set(), name)
            self.assertEqual(told - public, set(), name)


class Arrays(unittest.TestCase):
    def test_copies_are_in_id_order(self):
        w = make_heap()
        w.step(50)
        for i, number in enumerate(w.ids):
            body = w.body_of(int(number))
            np.testing.assert_array_equal(w.positions[i], body.position())
            self.assertEqual(w.kinds[i], body.kind())
        moved = w.positions
        moved[:] = 0
        self.assertGreater(np.abs(w.positions).max(), 0)

    def test_views_are_live_and_end(self):
        w = make_heap()
        view = w.view("velocity")
        self.assertEqual((view * 2).shape, (len(w.ids), 3))
        with self.assertRaisesRegex(ValueError, "read-only"):
            view[0] = (1, 2, 3)
        w.step()
        for use in (lambda: view[0], lambda: view + 1, lambda: np.asarray(view), lambda: view.shape):
            with self.assertRaisesRegex(scree.Error, "out of date"):
                use()
        view = w.view("velocity", writable=True)
        rows = np.flatnonzero(w.view("kind")[:] == 0)
        view[rows] = (0, 0, 3)
        with self.assertRaises(ValueError):
            view[rows] = np.nan
        self.assertEqual(w.velocities[w.kinds == "dynamic"][:, 2].min(), 3)
        with self.assertRaises(ValueError):
            w.view("mass", writable=True)
        with self.assertRaisesRegex(scree.Error, "velocity"):
            w.view("velocit")

    def test_views_never_show_old_values(self):
        """After any change a view has the new values, or raises an error."""
        changes = {
            "step": lambda w: w.step(), "new body": lambda w: [w.sphere(radius=0.1, position=(9 + i, 9, 9)) for i in range(300)],
            "column": lambda w: [w.column(name=f"c{i}", default=i) for i in range(20)], "remove": lambda w: w.body_of(3).remove(),
            "restore": lambda w: w.restore(w.clone().save()), "clone": lambda w: w.clone().step(),
            "kind": lambda w: w.body_of(3).set_kind("fixed"), "group": lambda w: w.body_of(3).set_group(7),
            "velocity": lambda w: w.body_of(3).set_velocity(1, 2, 3), "position": lambda w: w.body_of(3).set_position(1, 2, 30),
            "column value": lambda w: w.column(name="wet", default=1), "close": lambda w: w.close()}
        for label, change in changes.items():
            w = make_heap()
            w.column(name="heat", default=3)
            w.step(3)
            views = {n: w.view(n) for n in ("position", "velocity", "spin", "orientation", "id", "kind", "mass", "radius", "group", "heat")}
            change(w)
            gc.collect()
            for name, view in views.items():
                try:
                    np.testing.assert_array_equal(np.asarray(view), np.asarray(w.view(name)), f"{name} after {label}")
                except scree.Error as error:
                    self.assertEqual(error.status, "stale")
                    self.assertRegex(repr(view), "out of date")

    def test_contacts_match_lua(self):
        w = make_heap()
        w.step(300)
        contacts = w.contacts
        self.assertGreater(len(contacts), 10)
        self.assertEqual(len(contacts), w.report()["contacts"])
        dynamic = contacts[contacts["body2"] == w.ids[0]]
        np.testing.assert_allclose(np.linalg.norm(contacts["normal"], axis=1), 1, rtol=1e-12)
        self.assertTrue((dynamic["impulse"][:, 2] >= 0).all())

    def test_columns(self):
        w = make_heap()
        heat = w.column(name="heat", unit="K", default=293)
        body = w.body_of(int(w.ids[3]))
        heat[body] = 350
        self.assertEqual(heat[body], 350)
        self.assertEqual(sorted(set(w.view("heat")[:])), [293, 350])


class Threads(unittest.TestCase):
    """Another thread steps the world: readers wait until the engine has returned."""

    def read_during_step(self, read):
        """Returns what read(world) returned, and whether the step had ended by then."""
        w, inside, over = make_heap(), threading.Event(), []
        thread = threading.Thread(target=w.step)

        def move(_):
            if thread.ident:
                inside.set()
                time.sleep(0.05)  # releases the lock of the interpreter: the reader can run
                over.append(True)
            return 0, 0, 0
        w.box(kind="kinematic", size=(1, 1, 1), position=(9, 9, 9), velocity=move)
        w.column(name="heat")
        w.step(200)
        view = w.view("velocity")
        thread.start()
        inside.wait(10)
        try:
            read(w, view)
        except scree.Error as error:
            self.assertEqual(error.status, "stale")
        ended = bool(over)
        thread.join()
        return ended

    def test_readers_wait(self):
        readers = {n: lambda w, _, n=n: getattr(w, n) for n in (
            "contacts", "ids", "positions", "velocities", "spins", "orientations", "radii", "masses", "groups", "kinds")}
        readers |= {"view": lambda w, _: w.view("position"), "column": lambda w, _: w.view("heat"),
                    "item": lambda _, v: v[0], "sum": lambda _, v: v + 1, "array": lambda _, v: np.asarray(v),
                    "shape": lambda _, v: v.shape, "length": lambda _, v: len(v), "text": lambda _, v: repr(v)}
        for name, read in readers.items():
            self.assertTrue(self.read_during_step(read), name)

    def test_readers_wait_for_scene(self):
        scene, inside, over = scree.Scene(FALL), threading.Event(), []

        def after_step(_):
            inside.set()
            time.sleep(0.1)
            over.append(True)
            return False
        for read in (lambda: scene.report(), lambda: scene.series, lambda: scene.over):
            over.clear()
            inside.clear()
            thread = threading.Thread(target=scene.run, args=(after_step,))
            thread.start()
            inside.wait(10)
            read()
            self.assertTrue(over)
            thread.join()

    def test_close_is_refused_inside(self):
        """A session or scene that was closed by a function that it called ended the process."""
        program = """
            import sys, scree
            scene = scree.Scene(sys.argv[1])
            for close in (scene.close, scene._session.close, scene.run):
                try:
                    scene.run(lambda s: close())
                except scree.Error as error:
                    print(error)
            scene.run()
            with scree.session() as s:
                for close in (s.close, s.close):
                    w = scree.World(dt=1e-3)
                    box = w.box(kind="kinematic", size=(1, 1, 1), velocity=lambda t: (close(), (0, 0, 1))[1])
                    try:
                        w.step(3)
                    except scree.Error as error:
                        print(error)
                s.close()
            scene.close()
            print("end", scene._c == scree.ffi.NULL)"""
        done = subprocess.run([sys.executable, "-c", textwrap.dedent(program), FALL], capture_output=True, text=True, check=False)
        lines = done.stdout.splitlines()
        self.assertEqual((done.returncode, len(lines), lines[-1]), (0, 6, "end True"), done)
        for line in lines[:-1]:
            self.assertRegex(line, "function that the engine calls")

    def test_fork(self):
        """A world with threads hung in a process made by fork."""
        program = """
            import os, sys, scree
            def make(i, **keys):
                w = scree.World(dt=1e-3, gravity=(0, 0, -9.81), **keys)
                w.halfspace(normal=(0, 0, 1))
                w.fill(region={"min": (0, 0, 0.1), "max": (1, 1, 1)}, spacing=0.12, radius=0.05)
                w.step(300)
                return w
            with scree.session():
                threaded = make(0, threads=2)
            alone, batch = make(0), scree.batch(2, make, threads=2)
            batch.step()
            scene = scree.Scene(sys.argv[1], threads=2)
            child = os.fork()
            if not child:
                for use in (lambda: threaded.step(), lambda: threaded.positions, scene.run, threaded.save):
                    try:
                        use()
                    except scree.Error as error:
                        print("spawn" in str(error))
                del threaded, scene
                alone.step()
                batch.step()
                print("end", flush=True)
                os._exit(0)
            print(os.waitpid(child, 0)[1])
            threaded.step()"""
        done = subprocess.run([sys.executable, "-c", textwrap.dedent(program), FALL], capture_output=True, text=True, check=False, timeout=60)
        self.assertEqual((done.returncode, done.stdout.split(), done.stderr), (0, ["True"] * 4 + ["end", "0"], ""))

    def test_world_keeps_scene(self):
        w = scree.Scene(FALL).run().world
        gc.collect()
        self.assertEqual(w.steps(), 100)
        w.step()
        self.assertEqual(len(w.positions), w.count() + w.count(kind="fixed"))


class States(unittest.TestCase):
    def test_restore_and_clone(self):
        w = make_heap()
        w.step(100)
        state, before = w.save(), w.hash()
        w.step(50)
        after = w.hash()
        w.restore(state)
        self.assertEqual(w.hash(), before)
        other = copy.copy(w)
        other.step(50)
        w.step(50)
        self.assertEqual((w.hash(), other.hash()), (after, after))

    def test_pickle(self):
        w = make_heap()
        w.step(100)
        other = pickle.loads(pickle.dumps(w))
        self.assertEqual(w.hash(), other.hash())
        w.step(50)
        other.step(50)
        self.assertEqual(w.hash(), other.hash())

    def test_devices_are_not_replaced(self):
        """Files are written beside their place and renamed. As root this replaced /dev/null by an empty file."""
        with tempfile.TemporaryDirectory() as folder:
            pipe = folder + "/pipe"
            os.mkfifo(pipe)
            w = make_heap()
            with self.assertRaisesRegex(scree.Error, "not a regular file"):
                w.save().write(pipe)
            run = scree.run(FALL, folder + "/run", time=0.01)
            for picture in ("scene", "height"):
                done = subprocess.run([scree.program(), "plot", run.path, picture, "-o", pipe], capture_output=True, text=True, check=False)
                self.assertNotEqual(done.returncode, 0)
            self.assertTrue(stat.S_ISFIFO(os.stat(pipe).st_mode))

    def test_handles_are_unique(self):
        """A copy of a scene freed it twice."""
        scene = scree.Scene(FALL)
        ball = make_heap().body_of(2)
        for thing in (scene, ball, scene.world.view("velocity"), scene._session):
            self.assertIs(copy.copy(thing), thing)
            for make in (copy.deepcopy, pickle.dumps):
                with self.assertRaisesRegex(TypeError, "cannot be"):
                    make(thing)
        state = scene.world.save()
        self.assertIs(copy.deepcopy(state), state)
        self.assertEqual(scene.run().over, True)

    def test_pickle_refuses(self):
        w = scree.World()
        w.hull(points=[(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)])
        with self.assertRaisesRegex(TypeError, "cannot be pickled"):
            pickle.dumps(w)

    def test_closed_world(self):
        w = scree.World()
        w.close()
        for use in (w.step, w.hash, w.save, lambda: w.positions, lambda: w.state):
            with self.assertRaisesRegex(scree.Error, "closed"):
                use()
        self.assertIn("closed", repr(w))

    def test_memory_stays(self):
        """A leak of 20 bytes in each of the 100000 rounds of the slow tests would be found."""
        rounds = int(os.environ.get("SCREE_ROUNDS", 5000))
        w = scree.World(gravity=(0, 0, -9.81), dt="1 ms")
        w.halfspace(normal=(0, 0, 1))
        for i in range(20):
            w.sphere(radius=0.1, position=(0.25 * i, 0, 0.1))

        def work(count):
            state = w.save()
            for _ in range(count):
                w.restore(state)
                state = w.save()
                w.step()
                w.body_of(3).position()
            for _ in range(count // 10):
                w.clone().step()
            w.step(10 * count)
        work(1000)
        before = read_memory()
        work(rounds)
        self.assertLess(read_memory() - before, 2000)

    def test_batch_has_bits_of_one_by_one(self):
        batch = scree.batch(4, make_heap)
        batch.step(150)
        for i, w in enumerate(batch):
            alone = make_heap(i)
            alone.step(150)
            self.assertEqual(alone.hash(), w.hash())
        with self.assertRaisesRegex(ValueError, "session"):
            scree.Batch([w, w.clone()])

    def test_sessions_do_not_mix(self):
        w = make_heap()
        with scree.session():
            other = make_heap()
        with self.assertRaisesRegex(ValueError, "another session"):
            w.restore(other.save())


class Functions(unittest.TestCase):
    def test_motion_in_python(self):
        w = scree.World(dt=1e-3, gravity=(0, 0, 0))
        wall = w.box(kind="kinematic", size=(1, 1, 1), velocity=lambda t: (0, 0, 2.0))
        w.step(100)
        self.assertAlmostEqual(wall.position()[2], 0.2, 12)

    def test_law_in_python(self):
        # a contact without friction, solved by Python and by the engine
        def solve(p, ann, ant, ano, att, ato, aoo, bn, bt, bo):
            return max(0.0, bn / ann), 0.0, 0.0
        scree.law.define(name="python_law", solve=solve)
        velocity = []
        for law in ("python_law", "frictionless"):
            w = scree.World(dt=1e-3)
            w.halfspace(normal=(0, 0, 1))
            w.pair("default", "default", law=law)
            ball = w.sphere(radius=0.1, position=(0, 0, 0.1), velocity=(1, 0, 0))
            w.step(100)
            velocity.append(ball.velocity())
        np.testing.assert_allclose(velocity[0], velocity[1], atol=1e-9)

    def test_exceptions_pass(self):
        w = scree.World()

        def fail(_):
            raise KeyError("from Python")
        w.box(kind="kinematic", size=(1, 1, 1), velocity=lambda t: (0, 0, 0) if t < 0.01 else fail(t))
        with self.assertRaisesRegex(KeyError, "from Python"):
            w.step(100)

    def test_interrupt(self):
        # shells start background processes with SIGINT ignored
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        self.addCleanup(signal.signal, signal.SIGINT, before)
        w = make_heap()
        threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
        start = time.time()
        with self.assertRaises(KeyboardInterrupt):
            w.step(10 ** 9)
        self.assertLess(time.time() - start, 20)
        w.step()

    def test_functions_are_forgotten(self):
        session = make_heap()._session
        gc.collect()
        for _ in range(300):
            w = scree.World()
            w.box(kind="kinematic", size=(1, 1, 1), velocity=lambda t: (0, 0, 0))
            w.close()
        self.assertLess(len(session.functions), 50)


class Refusals(unittest.TestCase):
    def test_each_world_has_its_seed(self):
        def grains(seed, other=None):
            w = scree.World(seed=seed)
            if other:
                scree.World(seed=other)
            w.fill(region={"min": (0, 0, 0), "max": (1, 1, 1)}, spacing=0.3, radius=0.05, radius_max=0.1, jitter=0.1)
            return w.hash(), w.random()
        self.assertEqual(grains(1), grains(1, 2))
        self.assertNotEqual(grains(1)[0], grains(2)[0])
        self.assertNotEqual(grains(1)[1], grains(2)[1])
        w = scree.World(seed=7)
        w.random()
        other = w.clone()
        self.assertEqual([w.random(), w.random()], [other.random(), other.random()])
        for wrong in (1.5, True, "1", -1, 1 << 64, None):
            with self.assertRaisesRegex(ValueError, "seed"):
                scree.World(seed=wrong)
        self.assertEqual(scree.World(seed=np.int64(3)).random(), scree.World(seed=3).random())

    def test_pickle_refuses_motions(self):
        for motion in (lambda t: (0, 0, 1), [[0, [0, 0, 0]], [1, [0, 0, 1]]]):
            w = scree.World(dt=1e-3)
            lift = w.box(kind="kinematic", size=(1, 1, 1), name="lift", velocity=motion)
            with self.assertRaisesRegex(TypeError, "motion of body lift"):
                pickle.dumps(w)
            lift.remove()
            self.assertEqual(pickle.loads(pickle.dumps(w)).hash(), w.hash())

    def test_pickle_of_clone(self):
        w = scree.World(gravity=(0, 0, -5), dt="2 ms", seed=3)
        w.sphere(radius=0.1)
        other = pickle.loads(pickle.dumps(w.clone()))
        for world in (w, other):
            world.step(3)
        self.assertEqual((other.dt(), other.hash()), (w.dt(), w.hash()))

    def test_view_is_not_written_in_step(self):
        w = scree.World(dt=1e-3, gravity=(0, 0, -1))
        w.halfspace(normal=(0, 0, 1))
        w.sphere(radius=0.1, position=(0, 0, 0.1))
        view = []

        def solve(p, ann, *_):
            view[0][:] = 3
            return 0, 0, 0
        scree.law.define(name="writes_view", solve=solve)
        w.pair("default", "default", law="writes_view")
        view.append(w.view("velocity", writable=True))
        with self.assertRaisesRegex(scree.Error, "while the world makes a step"):
            w.step(3)

    def test_error_within_law(self):
        w = scree.World(dt=1e-3, gravity=(0, 0, -1))
        w.halfspace(normal=(0, 0, 1))
        w.sphere(radius=0.1, position=(0, 0, 0.1))
        scree.law.define(name="changes_world", solve=lambda *_: w.sphere(radius=1))
        w.pair("default", "default", law="changes_world")
        with self.assertRaisesRegex(scree.Error, "cannot be changed from within a friction law"):
            w.step(3)

    def test_refresh_in_python(self):
        """A law whose refresh changes mu is the law with that mu."""
        def slide(law):
            w = scree.World(dt=1e-3, gravity=(0, 0, -10))
            w.halfspace(normal=(0, 0, 1))
            w.pair("default", "default", **law)
            ball = w.box(size=(0.2, 0.2, 0.1), position=(0, 0, 0.05), velocity=(1, 0, 0))
            w.step(100)
            return ball.velocity()

        def refresh(p, s, c):
            self.assertIn("slip_speed", c)
            s["slip"] += 1
            seen.append(s["slip"])
            p["mu"] = 0.1
        seen = []
        scree.law.define(name="refreshed", base="coulomb", params={"mu": 0.3}, state=["slip"], refresh=refresh)
        np.testing.assert_allclose(slide({"law": "refreshed"}), slide({"mu": 0.1}), rtol=1e-9, atol=1e-9)
        self.assertGreater(max(seen), 50)

        def wrong(p, s, _):
            change(p, s)
        scree.law.define(name="wrong", base="coulomb", params={"mu": 0.3}, state=["slip"], refresh=wrong)
        for change, text in ((lambda p, s: p.update(mu=float("nan")), "test_scree.py:[0-9]+: refresh left p.mu as NaN"),
                             (lambda p, s: p.pop("mu"), "refresh left p.mu as nil"),
                             (lambda p, s: p.update(mu=-1), "after refresh"),
                             (lambda p, s: s.update(slip="much"), "refresh left s.slip as string")):
            with self.assertRaisesRegex(scree.Error, text):
                slide({"law": "wrong"})

    def test_scene_arguments(self):
        for name, values in {"stop_steps": (0, -3, 1.5, True), "stop_time": (0, -1, float("nan"), float("inf"), "1 s"),
                             "threads": (-1, 0, 2.5)}.items():
            for value in values:
                with self.assertRaisesRegex(ValueError, name):
                    scree.Scene(FALL, **{name: value})
        scene = scree.Scene(FALL, stop_steps=np.int64(5)).run()
        self.assertEqual(scene.world.steps(), 5)
        scene = scree.Scene(FALL)
        scene.run(lambda s: np.bool_(False))
        self.assertEqual(scene.world.steps(), 1)

    def test_assignments(self):
        scene = scree.Scene(FALL)
        w = make_heap()
        ball = w.body_of(2)
        batch = scree.batch(1, make_heap)
        for thing, name in ((w, "dt"), (w, "sate"), (w, "positions"), (ball, "velocity"), (ball, "mas"), (scene, "wrld"),
                            (scene, "over"), (w.view("velocity"), "shape"), (w.view("velocity"), "x"), (batch, "step")):
            with self.assertRaisesRegex(AttributeError, name):
                setattr(thing, name, 0.1)
        with self.assertRaisesRegex(AttributeError, "did you mean 'state'"):
            w.sate = {}
        with self.assertRaisesRegex(AttributeError, "set_velocity"):
            ball.velocity = (0, 0, 1)
        w.state = {"a": 1}

        class Heap(scree.World):
            """A class of a user has further attributes."""
        own = Heap()
        own.label = "mine"
        with self.assertRaises(AttributeError):
            own.dt = 3

    def test_extra_arguments(self):
        w = make_heap()
        for call in (lambda: w.dt(5), lambda: w.time(1), lambda: w.gravity((0, 0, 0)), lambda: w.body_of(2).position(1),
                     lambda: w.hash(n=1)):
            with self.assertRaisesRegex(TypeError, "takes no arguments"):
                call()
        with self.assertRaisesRegex(TypeError, "takes 2 arguments, not 3"):
            w.random(0, 1, 2)

    def test_handles_are_equal(self):
        w = make_heap()
        a, b, c = w.body_of(2), w.body_of(2), w.body_of(3)
        self.assertEqual((a, hash(a)), (b, hash(b)))
        self.assertNotEqual(a, c)
        self.assertEqual(len({a, b, c}), 2)
        self.assertIn(b, [c, a])
        self.assertNotEqual(a, 2)
        self.assertNotEqual(w, w.clone())
        worlds = {w: 1, w.clone(): 2}
        self.assertEqual(worlds[w], 1)
        with scree.session():
            self.assertNotEqual(a, make_heap().body_of(2))
        b.remove()
        self.assertEqual(a, b)
        w.close()
        self.assertEqual(worlds[w], 1)

    def test_unusual_arrays(self):
        w = scree.World()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # numpy advises against matrices
            matrix = np.matrix([0, 0, 1.0])
        for value in (matrix, np.array([0, 0, 1], np.clongdouble), [0, 0, np.clongdouble(1)], np.complex128(1)):
            with self.assertRaisesRegex(TypeError, "cannot take"):
                w.sphere(radius=0.1, position=value)
        for value in (np.array([1, 2, 3], np.longdouble), [np.longdouble(1), 2, np.array(np.longdouble(3))], np.array([1, 2, 3], np.float16)):
            np.testing.assert_array_equal(w.sphere(radius=0.1, position=value).position(), [1, 2, 3])


class Batches(unittest.TestCase):
    def test_interrupt(self):
        """Ctrl-C left the worlds of a batch at work, and the process did not end."""
        program = """
            import os, signal, sys, threading, time, scree
            signal.signal(signal.SIGINT, signal.default_int_handler)
            def make(i):
                w = scree.World(dt=1e-4)
                for k in range(20):
                    w.sphere(radius=0.1, position=(k, 0, 0))
                return w
            def loop(w):
                while True:
                    w.step()
            batch = scree.batch(3, make, threads=2)
            for work in (lambda: batch.step(10 ** 12), lambda: batch.map(loop)):
                threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
                try:
                    work()
                except KeyboardInterrupt:
                    steps = [w.steps() for w in batch]
                    time.sleep(0.2)
                    print(steps == [w.steps() for w in batch], max(steps) > 0)
            before = batch[0].steps()
            batch.step(2)
            print(batch[0].steps() - before)"""
        done = subprocess.run([sys.executable, "-c", textwrap.dedent(program)], capture_output=True, text=True, check=False, timeout=60)
        self.assertEqual((done.returncode, done.stdout.split()), (0, ["True"] * 4 + ["2"]), done)

    def test_errors_come_once_all_have_stopped(self):
        batch = scree.batch(3, make_heap)

        def work(w):
            if w is batch[0]:
                raise KeyError("first")
            w.step(20)
        with self.assertRaisesRegex(KeyError, "first"):
            batch.map(work)
        self.assertEqual([w.steps() for w in batch], [0, 20, 20])
        for count in (-1, 1.5, "3"):
            with self.assertRaisesRegex(ValueError, "count"):
                batch.step(count)
        for threads in (0, -1, 1.5):
            with self.assertRaisesRegex(ValueError, "threads"):
                scree.Batch(batch.worlds, threads)


class Scenes(unittest.TestCase):
    def test_hash_of_program(self):
        # other files in the folder are scripts for `scree lua`
        names = [n for n in sorted(glob.glob(str(ROOT / "scenes" / "*.lua"))) if "setup = " in pathlib.Path(n).read_text("utf-8")]
        self.assertGreater(len(names), 30)
        with tempfile.TemporaryDirectory() as folder:
            for name in names if os.environ.get("SCREE_ALL_SCENES") else names[::6]:
                steps = "30" if os.environ.get("SCREE_ALL_SCENES") else "5"
                scene = scree.Scene(name, stop_steps=int(steps)).run()
                run = scree.run(name, folder, force=True, options=["--steps", steps])
                self.assertEqual(scene.world.hash(), run.json["hash"], name)

    def test_report_series_and_parameters(self):
        scene = scree.Scene(FALL, g=10, time="0.2 s").run()
        self.assertAlmostEqual(scene.report()["depth"], 10 * 0.2 ** 2 / 2, 12)
        self.assertEqual(scene.parameters["g"], 10)
        np.testing.assert_allclose(scene.series["time"], [0, 0.05, 0.1, 0.15, 0.2], atol=1e-12)
        self.assertTrue(scene.over)

    def test_stops_and_goes_on(self):
        scene, seen = scree.Scene(FALL), []
        scene.run(lambda s: seen.append(s.world.steps()) or len(seen) < 10)
        self.assertEqual((seen[-1], scene.over), (10, False))
        scene.run()
        self.assertEqual((scene.world.steps(), scene.over), (100, True))

    def test_errors(self):
        with self.assertRaisesRegex(scree.Error, "did you mean 'time'"):
            scree.Scene(FALL, tim=3)
        with self.assertRaises(scree.Error):
            scree.Scene("/nowhere.lua")
        with self.assertRaises(scree.Error):
            scree.open("/nowhere")

    def test_run_is_read(self):
        with tempfile.TemporaryDirectory() as folder:
            run = scree.run(FALL, folder + "/run", time=0.2)
            self.assertEqual(len(run.series), 5)
            self.assertAlmostEqual(run.series["height"][-1], -9.81 * 0.2 ** 2 / 2, 9)
            with self.assertRaisesRegex(scree.Error, "exist"):
                scree.run(FALL, folder + "/run")


class Experiments(unittest.TestCase):
    def test_run_is_continued(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "exp.yaml"
            path.write_text(f"scree: 1\nscene: {FALL}\nsweep: {{grid: {{params.g: [5, 10]}}}}\n", encoding="utf-8")
            first = scree.Experiment(path).run(folder + "/out")
            np.testing.assert_allclose(first.table["depth"], [0.025, 0.05], rtol=1e-9)
            written = [(r.path / "run.json").stat().st_mtime_ns for r in first.runs]
            again = scree.Experiment(path).run(folder + "/out")
            self.assertEqual([(r.path / "run.json").stat().st_mtime_ns for r in again.runs], written)


class Calibration(unittest.TestCase):
    def test_both_searches(self):
        depth = 12.0 * 0.1 ** 2 / 2
        for method in ("nelder_mead", "cma-es"):
            with tempfile.TemporaryDirectory() as folder:
                def find():
                    return scree.calibrate(FALL, {"g": (5, 20), "speed": (0, 2)}, {"depth": (depth, 1e-3), "way": (0.07, 1e-3)},
                                           out=folder, method=method, seeds=1, budget=200)  # pylint: disable=cell-var-from-loop
                result = find()
                self.assertTrue(result.converged)
                self.assertAlmostEqual(result.best["g"], 12, 2, method)
                self.assertAlmostEqual(result.best["speed"], 0.7, 3, method)
                # depth = g t^2/2 and way = speed t give the errors in closed form
                self.assertAlmostEqual(result.uncertainty["g"], 1e-3 / (depth / 12), 3)
                self.assertAlmostEqual(result.uncertainty["speed"], 1e-3 / 0.1, 5)
                again = find()
                self.assertEqual((again.json, len(again.history)), (result.json, len(result.history)))

    def test_warns_of_bounds(self):
        """The measured depth needs g = 12, above the range."""
        with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            scree.calibrate(FALL, {"g": (5, 10)}, {"depth": (0.06, 1e-3)}, out=folder, seeds=1)
            scree.calibrate(FALL, {"g": (5, 20)}, {"depth": (0.06, 1e-3)}, out=folder + "/other", seeds=1)
        self.assertEqual(len(caught), 1, [str(c.message) for c in caught])
        self.assertRegex(str(caught[0].message), "'g', .*lies at an end of its range")

    def test_start_and_fixed(self):
        with tempfile.TemporaryDirectory() as folder:
            result = scree.calibrate(FALL, {"g": (5, 20)}, {"depth": (0.24, 1e-3)}, out=folder, seeds=1,
                                     start={"g": 6}, fixed={"time": 0.2})
        self.assertEqual(result.history["params.g"][0], 6)
        self.assertAlmostEqual(result.best["g"], 12, 2)

    def test_refusals(self):
        with tempfile.TemporaryDirectory() as folder:
            with self.assertRaisesRegex(scree.Error, "depth"):
                scree.calibrate(FALL, {"g": (5, 20)}, {"deepness": (1, 1)}, out=folder)
            with self.assertRaisesRegex(scree.Error, r"\[low, high, start\]"):
                scree.calibrate(FALL, {"g": (20, 5)}, {"depth": (1, 1)}, out=folder)
            with self.assertRaisesRegex(ValueError, "'g' is in parameters and in fixed"):
                scree.calibrate(FALL, {"g": (5, 20)}, {"depth": (1, 1)}, out=folder, fixed={"g": 9})
            with self.assertRaisesRegex(ValueError, "did you mean 'speed'"):
                scree.calibrate(FALL, {"g": (5, 20), "speed": (0, 1)}, {"depth": (1, 1)}, out=folder, start={"sped": 9})
            with self.assertRaisesRegex(ValueError, "nelder_mead"):
                scree.calibrate(FALL, {"g": (5, 20)}, {"depth": (1, 1)}, out=folder, method="simplex")


class Docs(unittest.TestCase):
    def test_examples_run(self):
        text = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
        blocks = re.findall(r"```python run\n(.*?)```", text, re.S)
        self.assertGreater(len(blocks), 5)
        folder = os.getcwd()
        os.chdir(ROOT)
        try:
            for block in blocks:
                with contextlib.redirect_stdout(io.StringIO()):
                    exec(compile(block, "docs/python.md", "exec"), {})  # pylint: disable=exec-used
        finally:
            os.chdir(folder)


if __name__ == "__main__":
    unittest.main(argv=sys.argv, verbosity=1)
