"""Which packages a distribution holds: frontend/ and backends/ lie beside jitcore/ and are installed inside it."""

from setuptools import find_packages, setup

LINKED = (
    "frontend",
    "backends",
)  # in the checkout jitcore/frontend and jitcore/backends are links, which archives lose

packages = [
    p for p in find_packages(include=["jitcore", "jitcore.*"]) if p.split(".")[1:2] not in [[n] for n in LINKED]
]
for name in LINKED:
    packages += [f"jitcore.{name}", *(f"jitcore.{name}.{p}" for p in find_packages(name))]

setup(packages=packages, package_dir={f"jitcore.{name}": name for name in LINKED})
