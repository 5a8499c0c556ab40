"""`jitcore serve`: exported models over HTTP, by the Open Inference Protocol (version 2, REST).

From a request's bytes to an answer's: `app` (the endpoints), `protocol` (JSON and binary tensors), `batching` (requests
that are computed together), `models` (folders, versions, calls), `interface` (what a model takes and gives).
"""
