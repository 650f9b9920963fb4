"""All tests of the reference model: python3 tests/reference/test_reference.py"""

import unittest

MODULES = ("test_floats", "test_streams", "test_maps", "test_document")

if __name__ == "__main__":
    unittest.main(module=None, argv=["test_reference.py", *MODULES])
