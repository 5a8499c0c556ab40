"""A forked child compiles and runs, whatever other threads were doing when it was made."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from jitcore.forking import process_lock

pytestmark = [
    pytest.mark.skipif(not hasattr(os, "fork"), reason="there are no forks here"),
    pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning"),
]

PROGRAMS = [
    ["while_threads_compile", "while_a_thread_computes", "while_a_gradient_is_taken", "by_a_fork_server"],
    ["in_a_thread_while_the_main_thread_compiles", "in_a_handler_while_compiling", "of_a_child", "by_a_pool"],
    ["in_a_handler_while_tasks_run"],
]


@pytest.mark.parametrize("names", PROGRAMS)
def test_a_forked_child_works(names: list[str]) -> None:
    command = [sys.executable, str(Path(__file__).with_name("forking_programs.py")), *names]
    ended = subprocess.run(command, capture_output=True, timeout=3000, check=False)
    assert ended.returncode == 0, ended.stderr.decode()


def test_a_lock_that_another_thread_holds_is_free_in_a_child() -> None:
    lock, held, over = process_lock(), threading.Event(), threading.Event()

    def hold() -> None:
        with lock:
            held.set()
            over.wait()

    thread = threading.Thread(target=hold)
    thread.start()
    held.wait()
    child = os.fork()
    if child == 0:
        with lock, lock:
            pass
        os._exit(0)
    over.set()
    thread.join()
    assert os.waitpid(child, 0)[1] == 0


def test_a_lock_that_the_forking_thread_holds_is_held_in_the_child() -> None:
    lock = process_lock()
    with lock:
        child = os.fork()
        taken, early = threading.Event(), False
        if child == 0:

            def take() -> None:
                with lock:
                    taken.set()

            with lock:
                thread = threading.Thread(target=take)
                thread.start()
            early = taken.wait(0.05)
    if child == 0:
        late = taken.wait(600)
        os._exit(0 if late and not early else 1)
    assert os.waitpid(child, 0)[1] == 0
