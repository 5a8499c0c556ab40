"""`nn.Graph`: networks trained and run as compiled programs, with the modules and optimizers of eager mode."""

from jitcore.nn.graph.config import GraphConfig
from jitcore.nn.graph.graph import Graph
from jitcore.nn.graph.proxy import GraphModule, Proxy

__all__ = ["Graph", "GraphConfig", "GraphModule", "Proxy"]
