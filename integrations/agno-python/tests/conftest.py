"""Fixtures of the tests of this package. Those of the server are shared."""

pytest_plugins = ["vademecum_contract.fixtures"]
