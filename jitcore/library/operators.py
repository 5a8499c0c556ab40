"""MindSpore's operators, by its names and with its parameters: functions, classes and methods of Tensors.

Each is declared once, by a function in one of the library's folders (see `core.declarations`): importing this module
declares those of every file there.
"""

from jitcore import library
from jitcore.discovery import modules_below
from jitcore.library import method_names
from jitcore.library.core.declarations import CLASSES, FUNCTIONS, METHODS, PROPERTIES

modules_below(library.__name__, library.__path__)
method_names.name_methods()

__all__ = ["CLASSES", "FUNCTIONS", "METHODS", "PROPERTIES"]
